package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.pld.PldAccountant;
import java.util.List;
import java.util.Optional;

/**
 * A (μ, δ₀) for releases of any kind, so that they may be composed with what else is known in μ: at
 * every ε, and in both orders of the neighbours, their δ(ε) is at most δ₀ + (1 − δ₀)·δ(ε; μ).
 *
 * <p>Releases with a μ have that, and no δ₀. Others are covered by their privacy loss distribution,
 * and those that have none by their Rényi divergences, which is far looser; parts of both kinds
 * compose.
 */
public final class GaussianCover {
  /**
   * Of the δ that is left beside failures: little of δ goes into δ₀, and μ grows little by it.
   * Below a tenth, so that ten fit into δ although their sum is rounded up.
   */
  private static final double SHARE = 0.1 * (1 - 1e-6);

  private GaussianCover() {}

  /**
   * What covers them, with a δ₀ of a tenth of δ: of a tenth of what is left of it beside the
   * probabilities with which some of them fail.
   *
   * @param delta at which their ε is asked for; δ₀ is below it
   * @return empty if nothing is found
   */
  public static Optional<ApproximateGaussianDp> of(Releases releases, Delta delta) {
    double failure = failure(releases);
    double delta0 = failure + SHARE * (delta.value() - failure);
    return failure < delta.value() ? within(releases, Delta.of(delta0)) : Optional.empty();
  }

  /**
   * What covers them with this δ₀ at most.
   *
   * @return empty if nothing is found
   */
  public static Optional<ApproximateGaussianDp> within(Releases releases, Delta delta0) {
    if (releases.mechanisms().stream().allMatch(m -> m.mu().isPresent())) {
      return Optional.of(ApproximateGaussianDp.of(GaussianDp.of(releases.mu())));
    }
    double failure = failure(releases);
    if (failure > delta0.value()
        || !Rule.areSane(releases)
        || new RenyiRule().unsuited(releases).isPresent()) {
      return Optional.empty();
    }
    Releases paired = releases.only(m -> isPaired(m, releases));
    Releases others = releases.only(m -> !isPaired(m, releases));
    if (others.mechanisms().isEmpty()) {
      return ofPaired(paired, delta0);
    }
    boolean isInMu = paired.mechanisms().stream().allMatch(m -> m.mu().isPresent());
    double share = (delta0.value() - failure) / (isInMu ? 1 : 2);
    if (!(share > 0)) {
      return Optional.empty();
    }
    Optional<ApproximateGaussianDp> first = within(paired, Delta.of(failure + share));
    Optional<ApproximateGaussianDp> second = RenyiRule.total(others).covering(Delta.of(share));
    return first.flatMap(a -> second.map(b -> ApproximateGaussianDp.compose(List.of(a, b))));
  }

  private static boolean isPaired(Mechanism mechanism, Releases releases) {
    return PldAccountant.supports(mechanism, releases.adjacency());
  }

  private static Optional<ApproximateGaussianDp> ofPaired(Releases releases, Delta delta0) {
    try {
      return PldAccountant.of(releases.mechanisms(), releases.adjacency()).covering(delta0);
    } catch (ArithmeticException e) {
      return RenyiRule.total(releases).covering(delta0);
    }
  }

  /** Σ count·δ of those that fail. */
  private static double failure(Releases releases) {
    return releases.mechanisms().stream()
        .filter(ApproximateDp.class::isInstance)
        .map(ApproximateDp.class::cast)
        .mapToDouble(m -> m.delta().value() * (double) m.count())
        .sum();
  }
}
