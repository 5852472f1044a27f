package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogMixtureTest {
  /** By Python's decimal with 60 digits. */
  @ParameterizedTest
  @CsvSource({
    "3.260956790860194e-308, 700.0319264495411, 0.0003414080204537118",
    "1e-300, 708.5, 17.72447212184762",
    "4.9e-324, 1440, 695.5599280786188",
    "0.5, 1000, 999.3068528194401",
    "1, 700, 700",
    "0.9999999999999999, -35.7, -35.39650313333418",
    "1e-20, -50, -1e-20",
  })
  void itIsRight_alsoWhereTheExponentialOverflows_andWhereLittleIsLeftOfOne(
      double rate, double x, double expected) {
    assertThat(LogMixture.of(rate, x)).isCloseTo(expected, withinPercentage(1e-12));
  }
}
