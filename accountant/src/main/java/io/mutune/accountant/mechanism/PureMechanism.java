package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.Map;
import java.util.Optional;

/** {@code count} adaptive releases, each of which is (ε, 0)-DP. */
public sealed interface PureMechanism extends Mechanism
    permits Laplace, SubsampledLaplace, ExponentialMechanism, RandomizedResponse, PureDp {
  /** The ε of one release, rounded up where it is computed. */
  Epsilon epsilon();

  /** At least 1. */
  long count();

  /** ε and the count, for those that nothing else is known of. */
  @Override
  default Map<String, Number> parameters() {
    return PureDp.FORM.write(epsilon().value(), count());
  }

  /**
   * Always there: √count·μ₀, where μ₀ = −2Φ⁻¹(1/(1 + e^ε)) is the smallest μ that covers every ε-DP
   * release; rounded up.
   */
  @Override
  default Optional<Mu> mu() {
    double one = GaussianDp.ofPure(epsilon()).mu().value();
    return Optional.of(GaussianDp.ofGaussian(NoiseMultiplier.of(1), one, count()).mu());
  }
}
