package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import org.jspecify.annotations.Nullable;

/**
 * What all studies of a data set may cost together, as somebody gives it.
 *
 * @param mu in μ; or else {@code epsilon} with {@code delta}
 * @param sampledDelta δ₀ for all studies together whose plans have no μ, such as those of sampled
 *     steps; a part of {@code delta} where that is given, so that μ is smaller; null for none
 */
public record LifetimeBudget(
    @Nullable Double mu,
    @Nullable Double epsilon,
    @Nullable Double delta,
    @Nullable Double sampledDelta) {
  /** At it ε is 5474 at a δ of 1e-6: no protection. Its square is far from what a double holds. */
  private static final double MOST_MU = 100;

  /**
   * The cap on an account, rounded down where it is given as (ε, δ).
   *
   * @throws IllegalArgumentException if this is no cap; the message is for whoever gave it
   */
  public ApproximateGaussianDp cap() {
    ApproximateGaussianDp cap = given();
    if (cap.mu().value() > MOST_MU) {
      throw new IllegalArgumentException(
          "an account's mu must be at most %s, which protects nothing already; was %s"
              .formatted(MOST_MU, cap.mu().value()));
    }
    return cap;
  }

  private ApproximateGaussianDp given() {
    Delta delta0 = Delta.of(sampledDelta == null ? 0 : sampledDelta);
    if (mu != null && epsilon == null && delta == null) {
      return new ApproximateGaussianDp(Mu.of(mu), delta0);
    }
    if (mu == null && epsilon != null && delta != null) {
      return ApproximateGaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(delta), delta0);
    }
    throw new IllegalArgumentException("give mu, or epsilon with delta");
  }
}
