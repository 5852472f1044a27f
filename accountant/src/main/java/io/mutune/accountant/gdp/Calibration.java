package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.math.BigDecimal;

/**
 * How much noise a budget asks for: μ = √T·s/σ solved for σ. Each answer is the best double that
 * keeps the budget, exactly.
 */
public final class Calibration {
  private Calibration() {}

  /**
   * The smallest σ with which {@code count} releases of this sensitivity cost at most μ, in the
   * sensitivity's unit.
   *
   * @throws IllegalArgumentException if no finite σ is enough, as for μ = 0
   */
  public static NoiseMultiplier noise(Mu mu, double sensitivity, long count) {
    BigDecimal square = GaussianDp.squaredSensitivity(sensitivity, count);
    double sigma =
        mu.value() == 0
            ? Double.POSITIVE_INFINITY
            : ExactRoot.up(square, ExactRoot.square(mu.value()));
    if (Double.isInfinite(sigma)) {
      throw new IllegalArgumentException(
          "no finite noise makes %d releases of sensitivity %s cost at most mu = %s"
              .formatted(count, sensitivity, mu.value()));
    }
    NoiseMultiplier noise = NoiseMultiplier.of(sigma);
    double cost = GaussianDp.ofGaussian(noise, sensitivity, count).mu().value();
    if (cost > mu.value()) {
      throw new IllegalStateException(
          "calibrated sigma = %s costs mu = %s, above %s".formatted(sigma, cost, mu.value()));
    }
    return noise;
  }

  /**
   * The smallest σ with which {@code count} releases of this sensitivity are (ε, δ)-DP together.
   *
   * @throws IllegalArgumentException if δ is 0 or 1, or no finite σ is enough
   */
  public static NoiseMultiplier noise(
      Epsilon epsilon, Delta delta, double sensitivity, long count) {
    return noise(GaussianDp.ofBudget(epsilon, delta).mu(), sensitivity, count);
  }
}
