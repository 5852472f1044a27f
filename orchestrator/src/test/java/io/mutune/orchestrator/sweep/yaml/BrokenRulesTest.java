package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Each rule of the format, broken alone: exactly one message, with the line of the mistake. */
class BrokenRulesTest {
  @ParameterizedTest
  @CsvFileSource(resources = "broken-rules.csv", delimiter = '|', quoteCharacter = '\'')
  void brokenAlone_isNamedWithLineRuleAndValue(
      String sweep, @Nullable String part, String other, String message) {
    String text = text(sweep);
    String written = other.translateEscapes();
    String broken =
        part == null ? text + written : Sweeps.edited(text, part.translateEscapes(), written);
    assertThat(Sweeps.problems(broken)).containsExactly(message);
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
      case "stopping" -> Sweeps.STOPPING;
      case "private" -> MethodReaderTest.PRIVATE;
      case "public" -> MethodReaderTest.PUBLIC;
      case "adamix" -> MethodReaderTest.PUBLIC + "train: {method: adamix}\n";
      case "settled" -> MethodReaderTest.SETTLED;
      case "settled-private" -> MethodReaderTest.SETTLED_PRIVATE;
      case "images" -> ImageRulesTest.IMAGES;
      case "encoded" -> ImageRulesTest.ENCODED;
      default -> throw new IllegalArgumentException(sweep);
    };
  }
}
