package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.PlannedTrial;
import java.util.List;

/** Plans studies whose charges are all Gaussian: shares of the budget's μ², exactly. */
final class MuPlanner {
  /** A final run with less of the budget's μ than this gives noise alone. */
  private static final double LEAST_FINAL_SHARE = 1e-3;

  private MuPlanner() {}

  static StudyPlan plan(SweepDefinition sweep) {
    List<PlannedTrial> trials =
        sweep
            .search()
            .trials(
                sweep.runScale(),
                epsilon -> GaussianDp.ofBudget(epsilon, sweep.budget().delta()).mu());
    List<Charge> charges =
        QuestionCosts.beforeFinal(
            sweep,
            trials,
            trial ->
                new Charge(
                    PlannedCharge.trial(trial.number()),
                    training(sweep, trial.mu(), trial.point().steps())));
    BudgetFilter filter = new BudgetFilter(sweep.budget());
    if (!sweep.train().method().isCharged()) {
      filter.admit(List.of(), charges);
      return new StudyPlan(sweep, trials, charges, new FinalShare.None(), filter);
    }
    // What is left composes with the rest to the cap and no more, exactly (GaussianDp.remaining).
    Mu left = filter.admit(List.of(), charges).left().mu();
    Mu least = Mu.of(sweep.budget().cap().mu().value() * LEAST_FINAL_SHARE);
    if (left.value() < least.value()) {
      Charge smallest =
          new Charge(PlannedCharge.FINAL, new Gaussian(Calibration.noise(least, 1, 1), 1, 1));
      filter.admit(charges, List.of(smallest));
    }
    return new StudyPlan(sweep, trials, charges, new FinalShare.InMu(left), filter);
  }

  /** A run of so many steps that costs at most μ. */
  static Mechanism training(SweepDefinition sweep, Mu mu, int steps) {
    return sweep.train().method().mechanism(noise(sweep, mu, steps), sweep.budget(), steps);
  }

  /** σ of such a run. */
  static NoiseMultiplier noise(SweepDefinition sweep, Mu mu, int steps) {
    double sensitivity = sweep.train().method().sensitivity(sweep.budget().adjacency());
    return Calibration.noise(mu, sensitivity, steps);
  }
}
