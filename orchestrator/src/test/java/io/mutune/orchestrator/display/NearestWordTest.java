package io.mutune.orchestrator.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
  private static final List<String> KNOWN =
      List.of("clipNorm", "schedule", "sweeps", "space", "strategy", "run", "plan");

  @ParameterizedTest
  @CsvSource({
    "clip, clipNorm",
    "clipnorm, clipNorm",
    "clip-norm, clipNorm",
    "schedul, schedule",
    "sweep, sweeps",
    "rnu, run",
    "spcae, space",
    "st, ''",
    "rows, ''",
    "x, ''"
  })
  void aWord_isTakenForOneThatIsNear_orGoesOnAsItBegins(String word, String meant) {
    assertThat(NearestWord.of(word, KNOWN).orElse("")).isEqualTo(meant);
  }
}
