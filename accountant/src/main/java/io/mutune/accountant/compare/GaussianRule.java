package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.Optional;

/**
 * √Σμ² (Dong, Roth and Su 2022, Corollary 3.3): exact to rounding for Gaussians, and an upper bound
 * with the smallest μ that covers each ε-DP release.
 */
final class GaussianRule implements Rule {
  @Override
  public Optional<String> unsuited(Releases releases) {
    return Rule.firstReason(releases, GaussianRule::unsuited);
  }

  private static Optional<String> unsuited(Mechanism mechanism) {
    if (mechanism.mu().isPresent()) {
      return Optional.empty();
    }
    if (mechanism instanceof SubsampledGaussian) {
      return Optional.of("a subsampled Gaussian has no closed form in GDP");
    }
    return Optional.of(
        mechanism instanceof ApproximateDp
            ? "what may fail with a probability delta is beyond every mu"
            : Rule.byCurveOnly(mechanism));
  }

  private static GaussianDp total(Releases releases) {
    return GaussianDp.of(releases.mu());
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    GaussianDp total = total(releases);
    double upper = total.epsilon(delta).value();
    return releases.areGaussian()
        ? new Bound(Math.min(upper, total.epsilonAtMost(delta).value()), upper)
        : Bound.upper(upper);
  }

  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    GaussianDp total = total(releases);
    double upper = total.delta(epsilon).value();
    return releases.areGaussian()
        ? new Bound(Math.min(upper, total.deltaAtMost(epsilon)), upper)
        : Bound.upper(upper);
  }

  /** By μ, which needs no root: the largest that keeps the budget is found once for a search. */
  @Override
  public double excess(Releases releases, Epsilon epsilon, Delta delta) {
    if (releases.mechanisms().isEmpty()) {
      return 0;
    }
    return delta.value() > 0 && Rule.areSane(releases) && unsuited(releases).isEmpty()
        ? Rule.excess(
            total(releases).mu().value(), GaussianDp.ofBudget(epsilon, delta).mu().value())
        : Double.POSITIVE_INFINITY;
  }
}
