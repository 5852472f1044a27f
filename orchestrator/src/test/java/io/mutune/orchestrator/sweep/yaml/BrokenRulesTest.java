package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Each rule of the format, broken alone: exactly one message, with the line of the mistake. */
class BrokenRulesTest {
  @ParameterizedTest
  @CsvFileSource(resources = "broken-rules.csv", delimiter = '|', quoteCharacter = '\'')
  void brokenAlone_isNamedWithLineRuleAndValue(
      String sweep, String part, String other, String message) {
    String text = Sweeps.edited(text(sweep), part.translateEscapes(), other.translateEscapes());
    assertThat(Sweeps.problems(text)).containsExactly(message);
  }

  private static String text(String sweep) {
    return switch (sweep) {
      case "linear" -> Sweeps.LINEAR;
      case "radius" ->
          Sweeps.edited(
              Sweeps.LINEAR,
              "learningRate: {min: 0.01, max: 10, scale: linear}",
              "radius: {min: 1, max: 9}");
      case "scale-free" -> Sweeps.SCALE_FREE;
      case "fixed" -> Sweeps.FIXED;
      case "images" -> ImageRulesTest.IMAGES;
      case "encoded" -> ImageRulesTest.ENCODED;
      default -> throw new IllegalArgumentException(sweep);
    };
  }
}
