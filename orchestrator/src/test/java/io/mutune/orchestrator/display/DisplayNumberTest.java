package io.mutune.orchestrator.display;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayNumberTest {
  @ParameterizedTest
  @CsvSource({
    "sigma, 1.23456",
    "run.sigma, 1.23456",
    "run.run.gamma, 1.23456",
    "epsilon, 1.23457",
    "run.rho, 1.23457",
    "samplingRate, 1.23457",
  })
  void aParameter_isRoundedToTheSideThatCostsMore(String key, String shown) {
    assertThat(DisplayNumber.parameter(key, 1.234565)).isEqualTo(shown);
  }
}
