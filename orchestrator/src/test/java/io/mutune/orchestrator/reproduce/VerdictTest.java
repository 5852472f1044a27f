package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  @ParameterizedTest
  @CsvSource({
    "ERROR_REDUCTION, 0.5, 0.6, 0.9, BETTER",
    "ERROR_REDUCTION, 0.5, 0.6, Infinity, BETTER",
    "ERROR_REDUCTION, 0.5, 0.4, 0.6, EQUAL",
    "ERROR_REDUCTION, 0.5, -Infinity, 0.4, WORSE",
    "ERROR_REDUCTION, 0.5, -Infinity, Infinity, NONE",
    "ERROR_REDUCTION, 0.5, NaN, NaN, NONE",
    "LOG_LOSS, 0.5, 0.6, 0.9, WORSE",
    "LOG_LOSS, 0.5, 0.1, 0.2, BETTER",
  })
  void anIntervalWithoutEnds_tellsNothing(
      ClaimedMetric figure, double published, double low, double high, Verdict verdict) {
    assertThat(Verdict.of(figure, published, low, high)).isEqualTo(verdict);
  }
}
