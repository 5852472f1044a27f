package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;

/** Queries about one μ-GDP guarantee: μ, ε and δ, two of which are given. */
final class GaussianRows {
  private GaussianRows() {}

  /** μ, δ to the smallest ε; infinite where δ is 0. */
  static Reply epsilon(Inputs row) {
    GaussianDp dp = spent(row);
    Delta delta = row.delta("delta");
    Reply reply = Reply.to(row).by(PureGaussian.ACCOUNTANT);
    if (delta.value() == 0 && dp.mu().value() > 0) {
      return reply.cost("eps", Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    return reply.cost("eps", dp.epsilonAtMost(delta).value(), dp.epsilon(delta).value());
  }

  /** ε, δ to the largest μ. */
  static Reply mu(Inputs row) {
    Epsilon epsilon = row.budget("eps");
    Delta delta = row.delta("delta");
    return Reply.to(row)
        .by(PureGaussian.ACCOUNTANT)
        .room(
            "mu",
            GaussianDp.ofBudget(epsilon, delta).mu().value(),
            PureGaussian.muAtLeast(epsilon, delta).value());
  }

  /** μ, ε to the smallest δ and its logarithm, which is to nearest. */
  static Reply delta(Inputs row) {
    GaussianDp dp = spent(row);
    Epsilon epsilon = row.budget("eps");
    return Reply.to(row)
        .by(PureGaussian.ACCOUNTANT)
        .cost("delta", PureGaussian.deltaAtMost(dp, epsilon), dp.delta(epsilon).value())
        .put("ln_delta", dp.logDelta(epsilon));
  }

  private static GaussianDp spent(Inputs row) {
    return GaussianDp.of(Mu.of(row.decimal("mu").notNegative("mu").up()));
  }
}
