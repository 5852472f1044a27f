package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Calibrator;
import io.mutune.accountant.compare.Guarantee;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanFilter;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.orchestrator.search.RandomStopping;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * Plans random stopping: one charge, the selection's, whose run is a Gaussian mechanism that holds
 * the training and the score of a run. Its noise is the least that keeps the budget, in Rényi
 * divergences (Papernot and Steinke 2022).
 */
final class SelectionPlanner {
  /** Fewer than accounting repeats elsewhere; rounded up. */
  private static final MathContext DIGITS = new MathContext(7, RoundingMode.CEILING);

  /** A run whose training has less of its μ than this gives noise alone. */
  private static final double LEAST_TRAINING = 1e-3;

  private SelectionPlanner() {}

  /**
   * Plans anew, or as a study was begun.
   *
   * @throws PlanExceededException if no noise keeps the budget, or a score leaves a run nothing
   */
  static StudyPlan plan(SweepDefinition sweep, RandomStopping search, Optional<NoiseLevels> begun) {
    Budget budget = sweep.budget();
    NoiseMultiplier sigma =
        begun.map(known -> NoiseMultiplier.of(known.last())).orElseGet(() -> least(budget, search));
    Charge charge = charge(search, sigma);
    GaussianDp run = GaussianDp.ofGaussian(sigma, 1, 1);
    GaussianDp score =
        QuestionCosts.runScore(sweep)
            .map(asked -> GaussianDp.of(asked.mechanism().mu().orElseThrow()))
            .orElse(GaussianDp.NONE);
    Mu training = run.remaining(score).orElse(GaussianDp.NONE).mu();
    if (training.value() < LEAST_TRAINING * run.mu().value()) {
      throw new PlanExceededException(
          "each run may cost mu = %s, and its score alone has %s"
              .formatted(run.mu().value(), score.mu().value()));
    }
    return new StudyPlan(
        sweep,
        budget,
        List.of(),
        List.of(),
        new FinalShare.Selection(charge, training, sigma),
        new PlanFilter(budget, List.of(charge)));
  }

  private static Charge charge(RandomStopping search, NoiseMultiplier sigma) {
    return new Charge(
        PlannedCharge.FINAL, new RepeatAndSelect(new Gaussian(sigma, 1, 1), search.law()));
  }

  private static NoiseMultiplier least(Budget budget, RandomStopping search) {
    Calibrator calibrator = new Calibrator(Guarantee.GUARANTEE, budget.epsilon(), budget.delta());
    double sigma;
    try {
      sigma =
          calibrator
              .noise(
                  s -> PlanTotal.releases(budget, List.of(charge(search, NoiseMultiplier.of(s)))))
              .value();
    } catch (IllegalArgumentException e) {
      throw new PlanExceededException(String.valueOf(e.getMessage()));
    }
    BigDecimal rounded = new BigDecimal(sigma).round(DIGITS);
    while (!isProved(budget, charge(search, NoiseMultiplier.of(rounded.doubleValue())))) {
      rounded = rounded.add(rounded.ulp());
    }
    return NoiseMultiplier.of(rounded.doubleValue());
  }

  private static boolean isProved(Budget budget, Charge charge) {
    List<Charge> all = List.of(charge);
    return PlanTotal.keeps(budget, all)
        && PlanTotal.of(budget, all).epsilon().value() <= budget.epsilon().value();
  }
}
