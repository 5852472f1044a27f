package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.SampledTcdp;
import io.mutune.accountant.renyi.SimpleComposition;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.accountant.renyi.ZeroConcentratedDp;
import java.util.List;

/**
 * Queries about concentrated privacy, PPSGD's budgets in it, and the older rules of composition.
 */
final class ConcentratedRows {
  private static final String TCDP = "tcdp";

  private ConcentratedRows() {}

  /** PPSGD's equation 3: ε, δ to the largest ρ and the ω that it needs. */
  static Reply budget(Inputs row) {
    TruncatedConcentratedDp total = total(row);
    return Reply.to(row)
        .by(TCDP)
        .room("rho_total", total.rho(), PureGaussian.above(total.rho()))
        .put("omega_total", total.omega());
  }

  /** PPSGD's equation 4: what a step may do, and which conditions hold. */
  static Reply step(Inputs row) {
    PpsgdStep step =
        PpsgdStep.of(row.decimal("rho_t").positive("rho_t").down(), row.count("s"), row.count("m"));
    Reply reply =
        Reply.to(row)
            .by(TCDP, Adjacency.REPLACE_ONE)
            .room("rho_s", step.rhoSample(), PureGaussian.above(step.rhoSample()))
            .put("omega_s", step.omegaSample())
            .put("omega_out", step.omegaStep())
            .put("noise_var_over_C2", step.noiseVariance())
            .put("cond_s", step.rateIsSmall())
            .put("cond_rho", step.rhoIsSmall())
            .put("cond_log", step.logIsLarge())
            .put("thm4_applies", step.theoremApplies());
    if (row.has("eps") && row.has("delta")) {
      TruncatedConcentratedDp total = total(row);
      reply.put("omega_total", total.omega()).put("cond_omega_out_ge_total", step.covers(total));
    }
    return reply;
  }

  private static TruncatedConcentratedDp total(Inputs row) {
    return TruncatedConcentratedDp.ofBudget(row.budget("eps"), row.delta("delta"));
  }

  /** (ρ, ω)-tCDP on a sample of a fraction s of the rows. */
  static Reply sampled(Inputs row) {
    SampledTcdp sampled = tcdp(row).sampled(row.decimal("s").positive("s").up());
    Reply reply =
        Reply.to(row)
            .by(TCDP)
            .put("applies", sampled.applies())
            .put("omega_needed", sampled.omegaNeeded());
    if (!sampled.applies()) {
      return reply
          .none("lower")
          .none("upper")
          .none("guarantee")
          .none("rho_out")
          .none("omega_out")
          .put("why", "a condition of PPSGD's Theorem 4 does not hold");
    }
    TruncatedConcentratedDp out = sampled.guarantee();
    return reply
        .cost("rho_out", PureGaussian.below(out.rho()), out.rho())
        .put("omega_out", out.omega());
  }

  /** (ρ, ω)-tCDP to ε by the papers' formulas. */
  static Reply truncatedEpsilon(Inputs row) {
    TruncatedConcentratedDp dp = tcdp(row);
    Delta delta = row.delta("delta");
    return Reply.to(row)
        .by(TCDP)
        .cost("eps", gaussian(dp.rho()).epsilonAtMost(delta).value(), dp.epsilon(delta).value())
        .put("theorem2_applies", dp.reachesBestOrder(delta));
  }

  /** More loss, up to fewer orders, than was written. */
  private static TruncatedConcentratedDp tcdp(Inputs row) {
    return TruncatedConcentratedDp.of(
        row.decimal("rho").positive("rho").up(), row.decimal("omega").down());
  }

  /** ρ-zCDP to ε: at the best real order, and by the papers' formula. */
  static Reply concentratedEpsilon(Inputs row) {
    ZeroConcentratedDp dp = ZeroConcentratedDp.of(row.decimal("rho").notNegative("rho").up());
    Delta delta = row.delta("delta");
    if (delta.value() == 0) {
      throw new IllegalArgumentException("zCDP needs a delta above 0; was 0");
    }
    GaussianDp gaussian = gaussian(dp.rho());
    return Reply.to(row)
        .by("zcdp")
        .cost("eps_tight", gaussian.epsilonAtMost(delta).value(), dp.epsilon(delta).value())
        .put("eps_standard", dp.standardEpsilon(delta).value())
        .put("eps_gaussian_exact", gaussian.epsilon(delta).value());
  }

  /** The Gaussian mechanism of this ρ, which costs no more than any guarantee of ρ allows. */
  private static GaussianDp gaussian(double rho) {
    return GaussianDp.of(Mu.of(Math.sqrt(2 * rho)));
  }

  /** k releases, each (ε, δ)-DP, by the basic and the advanced rule. */
  static Reply simple(Inputs row) {
    Epsilon epsilon = Epsilon.of(row.decimal("eps").notNegative("eps").up());
    Delta delta = Delta.of(upDelta(row));
    long count = row.count("k");
    SimpleComposition advanced =
        SimpleComposition.advanced(epsilon, delta, count, row.delta("delta_prime"));
    SimpleComposition basic = SimpleComposition.basic(epsilon, delta, count);
    Mechanism worst =
        delta.value() == 0 ? new PureDp(epsilon, count) : new ApproximateDp(epsilon, delta, count);
    // At a δ of 1 everything is (0, 1)-DP.
    double lower =
        advanced.delta().value() < 1
            ? PldAccountant.of(List.of(worst), Adjacency.ADD_REMOVE)
                .interval(advanced.delta())
                .lower()
            : 0;
    return Reply.to(row)
        .by("advanced")
        .cost("eps_total", Math.min(lower, advanced.epsilon().value()), advanced.epsilon().value())
        .put("delta_total", advanced.delta().value())
        .put("basic_eps", basic.epsilon().value())
        .put("basic_better", basic.epsilon().value() < advanced.epsilon().value());
  }

  private static double upDelta(Inputs row) {
    row.delta("delta");
    double delta = row.decimal("delta").up();
    if (!(delta < 1)) {
      throw new IllegalArgumentException(
          "delta must be below 1 as a double, rounded up; was " + row.text("delta"));
    }
    return delta;
  }
}
