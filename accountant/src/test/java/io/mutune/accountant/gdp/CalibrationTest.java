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

  @Test
  void largestCount_isZeroWhereNotEvenOneFits() {
    assertThat(Calibration.largestCount(Mu.of(0.099), NoiseMultiplier.of(10), 1)).isZero();
    assertThat(Calibration.largestCount(Mu.ZERO, NoiseMultiplier.of(10), 1)).isZero();
  }

  @Test
  void largestCount_includesTheOneThatJustFits() {
    assertThat(Calibration.largestCount(Mu.of(0.5), NoiseMultiplier.of(20), 2)).isEqualTo(25);
    assertThat(Calibration.largestCount(Mu.of(Math.nextDown(0.5)), NoiseMultiplier.of(20), 2))
        .isEqualTo(24);
  }

  @Test
  void largestCount_stopsAtTheLargestWholeNumber() {
    assertThat(Calibration.largestCount(Mu.of(1e9), NoiseMultiplier.of(1e9), 1))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void largestCount_refusesASensitivityOfZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.largestCount(Mu.of(1), NoiseMultiplier.of(1), 0));
  }
}
