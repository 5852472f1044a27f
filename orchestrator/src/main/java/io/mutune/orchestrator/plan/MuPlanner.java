package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Plans studies whose charges are all Gaussian: shares of the budget's μ², exactly. */
final class MuPlanner {
  private MuPlanner() {}

  static StudyPlan plan(SweepDefinition sweep) {
    if (sweep.search() instanceof TrialsThenFinal search) {
      return withFinal(sweep, search);
    }
    if (sweep.search() instanceof BestOf search) {
      return withoutFinal(sweep, search);
    }
    throw new AssertionError(sweep.search());
  }

  private static StudyPlan withFinal(SweepDefinition sweep, TrialsThenFinal search) {
    List<PlannedTrial> trials = search.trials(sweep.runScale(), sweep.budget().delta());
    List<Charge> charges = charges(sweep, trials);
    BudgetFilter filter = new BudgetFilter(sweep.budget());
    if (!sweep.train().method().isCharged()) {
      filter.admit(List.of(), charges);
      return new StudyPlan(sweep, sweep.budget(), trials, charges, new FinalShare.None());
    }
    // What is left composes with the rest to the cap and no more, exactly (GaussianDp.remaining).
    List<PlannedRelease> releases = releases(sweep, trials.size());
    List<Charge> others = new ArrayList<>(charges);
    releases.forEach(release -> others.add(release.question().charge(whole(release.mu()))));
    GaussianDp rest = filter.admit(List.of(), charges).left();
    filter.admit(List.of(), others);
    // Its own sigma, of however many steps, composes to no more than this mu.
    Mu left =
        rest.remaining(
                GaussianDp.compose(
                    releases.stream().map(release -> GaussianDp.of(release.mu())).toList()))
            .map(GaussianDp::mu)
            .orElse(Mu.ZERO);
    Mu least = Mu.of(sweep.budget().cap().mu().value() * FinalShare.LEAST);
    if (left.value() < least.value()) {
      filter.admit(others, List.of(Question.FINAL.charge(whole(least))));
    }
    FinalShare share = new FinalShare.InMu(left, releases);
    return new StudyPlan(sweep, sweep.budget(), trials, charges, share);
  }

  private static List<PlannedRelease> releases(SweepDefinition sweep, int trials) {
    List<PlannedRelease> releases = new ArrayList<>();
    for (Epsilon epsilon : sweep.releases()) {
      int number = releases.size() + 1;
      Mu mu = GaussianDp.ofBudget(epsilon, sweep.budget().delta()).mu();
      releases.add(new PlannedRelease(number, epsilon, mu, trials + number));
    }
    return releases;
  }

  /** A run of this μ in one step, which stands for one of however many. */
  private static Gaussian whole(Mu mu) {
    return new Gaussian(Calibration.noise(mu, 1, 1), 1, 1);
  }

  private static StudyPlan withoutFinal(SweepDefinition sweep, BestOf search) {
    Mu each = search.passesBudget() ? sweep.budget().cap().mu() : share(sweep, search);
    Epsilon alone = GaussianDp.of(each).epsilon(sweep.budget().delta());
    List<PlannedTrial> trials = search.trials(sweep.runScale(), alone, each);
    List<Charge> charges = charges(sweep, trials);
    Budget budget = search.passesBudget() ? covering(sweep, charges) : sweep.budget();
    new BudgetFilter(budget).admit(List.of(), charges);
    FinalShare share = new FinalShare.Kept(each, alone, Optional.empty());
    return new StudyPlan(sweep, budget, trials, charges, share);
  }

  /** What each run gets of the budget once all scores are charged; rounded down. */
  private static Mu share(SweepDefinition sweep, BestOf search) {
    Budget budget = sweep.budget();
    BudgetFilter filter = new BudgetFilter(budget);
    List<Charge> others = QuestionCosts.withoutTraining(sweep, search.runs());
    Mu left = filter.admit(List.of(), others).left().mu();
    double share = left.value() / Math.sqrt(search.runs());
    if (!(share >= budget.cap().mu().value() * FinalShare.LEAST)) {
      Mu least = Mu.of(budget.cap().mu().value() * FinalShare.LEAST);
      Charge smallest =
          new Charge("training", new Gaussian(Calibration.noise(least, 1, 1), 1, search.runs()));
      filter.admit(others, List.of(smallest));
    }
    // The root and the quotient are rounded to nearest, so the last bits are given back until the
    // runs compose to what is left.
    while (GaussianDp.compose(Collections.nCopies(search.runs(), GaussianDp.of(Mu.of(share))))
            .mu()
            .value()
        > left.value()) {
      share = Math.nextDown(share);
    }
    return Mu.of(share);
  }

  /** The least budget that covers what passes the sweep's: such a study keeps none, and says so. */
  private static Budget covering(SweepDefinition sweep, List<Charge> charges) {
    Budget asked = sweep.budget();
    double mu = Balance.of(asked, charges).spent().mu().value();
    double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(asked.delta()).value();
    Budget covering = new Budget(Epsilon.of(epsilon), asked.delta(), asked.adjacency());
    while (covering.cap().mu().value() < mu) {
      epsilon *= 1 + 0x1p-40;
      covering = new Budget(Epsilon.of(epsilon), asked.delta(), asked.adjacency());
    }
    return covering;
  }

  private static List<Charge> charges(SweepDefinition sweep, List<PlannedTrial> trials) {
    return QuestionCosts.beforeFinal(
        sweep,
        trials,
        trial -> Question.trial(trial.number()).charge(training(sweep, trial.mu(), trial.steps())));
  }

  /** A run of so many steps that costs at most μ. */
  static Mechanism training(SweepDefinition sweep, Mu mu, int steps) {
    return sweep.train().method().mechanism(noise(sweep, mu, steps), sweep.problem(), steps);
  }

  /** σ of such a run. */
  static NoiseMultiplier noise(SweepDefinition sweep, Mu mu, int steps) {
    double sensitivity = sweep.train().method().sensitivity(sweep.budget().adjacency());
    return Calibration.noise(mu, sensitivity, steps);
  }
}
