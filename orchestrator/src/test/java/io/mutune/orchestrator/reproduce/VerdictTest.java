package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  @ParameterizedTest
  @CsvSource({
    "ERROR_REDUCTION, 0.5, 0.6, 0.9, false, BETTER",
    "ERROR_REDUCTION, 0.5, 0.6, Infinity, false, BETTER",
    "ERROR_REDUCTION, 0.5, 0.4, 0.6, false, EQUAL",
    "ERROR_REDUCTION, 0.5, -Infinity, 0.4, false, WORSE",
    "ERROR_REDUCTION, 0.5, -Infinity, Infinity, false, NONE",
    "ERROR_REDUCTION, 0.5, NaN, NaN, false, NONE",
    "LOG_LOSS, 0.5, 0.6, 0.9, false, WORSE",
    "LOG_LOSS, 0.5, 0.1, 0.2, false, BETTER",
    "ACCURACY, 0.02, -0.01, 0.03, true, NONE",
    "ACCURACY, 0.02, 0.01, 0.03, true, EQUAL",
    "ACCURACY, 0, -0.01, 0.03, true, EQUAL",
    "ACCURACY, 0.02, -0.01, 0.01, true, WORSE",
  })
  void anInterval_isJudgedByWhatItHolds(
      ClaimedMetric figure,
      double published,
      double low,
      double high,
      boolean isEffect,
      Verdict verdict) {
    assertThat(Verdict.of(figure, published, low, high, isEffect)).isEqualTo(verdict);
  }
}
