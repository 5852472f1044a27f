package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;

/** Queries about T releases of sensitivity 1 on all rows with Gaussian noise of deviation σ. */
final class NoiseRows {
  private NoiseRows() {}

  /** ε, δ, T to the smallest σ. */
  static Reply sigma(Inputs row) {
    Epsilon epsilon = row.budget("eps");
    Delta delta = row.delta("delta");
    long steps = row.count("T");
    Mu mu = GaussianDp.ofBudget(epsilon, delta).mu();
    double upper = Calibration.noise(mu, 1, steps).value();
    double mostMu = PureGaussian.muAtLeast(epsilon, delta).value();
    double lower = PureGaussian.below(Math.sqrt((double) steps) / mostMu);
    return Reply.to(row)
        .by(PureGaussian.ACCOUNTANT)
        .cost("sigma", lower, upper)
        .put("mu", mu.value());
  }

  /** σ, ε, δ to the largest T, and the ε that so many cost. */
  static Reply largestSteps(Inputs row) {
    Epsilon epsilon = row.budget("eps");
    Delta delta = row.delta("delta");
    Decimal written = row.decimal("sigma").positive("sigma");
    NoiseMultiplier sigma = NoiseMultiplier.of(written.down());
    Mu mu = GaussianDp.ofBudget(epsilon, delta).mu();
    long lower = Calibration.largestCount(mu, sigma, 1);
    long upper =
        Calibration.largestCount(
            PureGaussian.muAtLeast(epsilon, delta), NoiseMultiplier.of(written.up()), 1);
    double product = mu.value() * sigma.value();
    Reply reply =
        Reply.to(row)
            .by(PureGaussian.ACCOUNTANT)
            .put("lower", lower)
            .put("upper", upper)
            .put("guarantee", lower)
            .put("Tmax", lower)
            .put("T_real", product * product);
    return lower == 0
        ? reply.none("eps_at_Tmax")
        : reply.put("eps_at_Tmax", GaussianDp.ofGaussian(sigma, 1, lower).epsilon(delta).value());
  }

  /** σ, T, δ to ε, and to the μ and the ρ of zCDP that it follows from. */
  static Reply epsilon(Inputs row) {
    Delta delta = row.delta("delta");
    GaussianDp dp =
        GaussianDp.ofGaussian(NoiseMultiplier.of(row.noise("sigma")), 1, row.count("T"));
    double mu = dp.mu().value();
    Reply reply = Reply.to(row).by(PureGaussian.ACCOUNTANT);
    reply =
        delta.value() == 0
            ? reply.cost("eps", Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)
            : reply.cost("eps", dp.epsilonAtMost(delta).value(), dp.epsilon(delta).value());
    return reply.put("mu", mu).put("rho", Math.nextUp(mu * mu / 2));
  }
}
