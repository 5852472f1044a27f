package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.math.BigDecimal;

/**
 * How much noise a budget asks for, and how many releases a noise allows: μ = √T·s/σ solved for σ
 * and T. Each answer is the best double or whole number that keeps the budget, exactly.
 */
public final class Calibration {
  private static final BigDecimal MAX_COUNT = BigDecimal.valueOf(Long.MAX_VALUE);

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

  /**
   * The largest number of releases that cost at most μ: the integer part of μ²σ²/s², 0 if not even
   * one fits, and {@link Long#MAX_VALUE} if more than that do.
   */
  public static long largestCount(Mu mu, NoiseMultiplier sigma, double sensitivity) {
    BigDecimal one = GaussianDp.squaredSensitivity(sensitivity, 1);
    return ExactRoot.square(mu.value())
        .multiply(ExactRoot.square(sigma.value()))
        .divideToIntegralValue(one)
        .min(MAX_COUNT)
        .longValueExact();
  }
}
