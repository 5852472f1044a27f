package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import org.junit.jupiter.api.Test;

class GaussianTest {
  @Test
  void itsMu_isRootCountTimesSensitivityOverSigma() {
    assertThat(new Gaussian(NoiseMultiplier.of(20), 2, 25).mu()).contains(Mu.of(0.5));
  }

  @Test
  void itsMu_isRoundedUp() {
    assertThat(new Gaussian(NoiseMultiplier.of(3), 1, 1).mu())
        .contains(Mu.of(Math.nextUp(1.0 / 3)));
  }

  @Test
  void aSensitivityOrACountOutOfRange_isRefused() {
    NoiseMultiplier sigma = NoiseMultiplier.of(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gaussian(sigma, 0, 1))
        .withMessage("sensitivity must be finite and above 0; was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gaussian(sigma, Double.NaN, 1))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gaussian(sigma, 1, 0))
        .withMessage("count must be at least 1; was 0");
  }

  @Test
  void oneWithoutAFiniteMu_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gaussian(NoiseMultiplier.of(1e-300), 1e300, 1))
        .withMessageContaining("mu must be finite");
  }
}
