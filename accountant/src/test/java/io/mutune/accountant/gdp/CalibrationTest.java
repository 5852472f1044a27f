package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import org.junit.jupiter.api.Test;

class CalibrationTest {
  @Test
  void noise_isSensitivityTimesRootCountOverMu() {
    assertThat(Calibration.noise(Mu.of(0.5), 2, 25)).isEqualTo(NoiseMultiplier.of(20));
  }

  @Test
  void noiseForABudget_isTheNoiseForItsMu() {
    Epsilon epsilon = Epsilon.of(1);
    Delta delta = Delta.of(1e-5);
    assertThat(Calibration.noise(epsilon, delta, 2, 100))
        .isEqualTo(Calibration.noise(GaussianDp.ofBudget(epsilon, delta).mu(), 2, 100));
  }

  @Test
  void noNoise_isEnoughForNoLossAtAll() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.noise(Mu.ZERO, 1, 10))
        .withMessageContaining("10 releases")
        .withMessageContaining("mu = 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.noise(Mu.of(1e-300), 1e300, 1));
  }
}
