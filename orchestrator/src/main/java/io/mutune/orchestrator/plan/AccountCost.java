package io.mutune.orchestrator.plan;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.GaussianCover;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.search.SecretTrials;
import java.util.List;
import java.util.Optional;

/** What a plan that is fixed to the last digit costs an account. */
final class AccountCost {
  /** What {@link SecretTrials#leastDelta} leaves of a δ. */
  private static final double ROOM_FOR_THE_LAW = 1 + 1e-7;

  private AccountCost() {}

  /**
   * What covers the charges.
   *
   * @param secret whether the number of some runs is drawn
   */
  static Optional<ApproximateGaussianDp> of(Budget budget, List<Charge> charges, boolean secret) {
    Releases releases = PlanTotal.releases(budget, charges);
    Optional<ApproximateGaussianDp> cover = GaussianCover.of(releases, budget.delta());
    return secret ? cover.flatMap(c -> drawn(c, releases)) : cover;
  }

  /**
   * With room for the law of the number of runs: drawn from another law at a distance τ, h(t) grows
   * by (1 + t)·τ up to a t at which it is δ₀, and by no more beyond it. That is made up for by as
   * much in δ₀, of which 1 − δ(0; μ) is left at least.
   */
  private static Optional<ApproximateGaussianDp> drawn(
      ApproximateGaussianDp cover, Releases releases) {
    double beyond =
        CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(cover.delta0())).upper();
    double left = 1 - cover.gaussian().delta(Epsilon.of(0)).value();
    double delta0 = cover.delta0().value();
    return SecretTrials.leastDelta(beyond) <= delta0 * left
        ? Optional.of(
            new ApproximateGaussianDp(cover.mu(), Delta.of(Math.min(1, delta0 * ROOM_FOR_THE_LAW))))
        : Optional.empty();
  }
}
