package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans studies with charges that have no μ. Every charge is fixed to the last digit before any
 * data is read, the final run's steps and noise among them: numerical composition is proved for
 * such plans alone.
 */
final class FixedPlanner {
  private final SweepDefinition sweep;
  private final Budget budget;
  private final int steps;

  private FixedPlanner(SweepDefinition sweep) {
    this.sweep = sweep;
    this.budget = sweep.budget();
    this.steps = sweep.search().fixedSteps().orElseThrow();
  }

  /**
   * Plans anew, or as a study was begun.
   *
   * @param begun the noise that the study was begun with
   * @throws PlanExceededException if nothing is left for the final run, or the given noise does not
   *     keep the budget
   * @throws InvalidSweepException if the samples of a run are too small to cost anything
   */
  static StudyPlan plan(SweepDefinition sweep, Optional<NoiseLevels> begun) {
    return new FixedPlanner(sweep).plan(begun);
  }

  private StudyPlan plan(Optional<NoiseLevels> begun) {
    if (sweep.search() instanceof TrialsThenFinal search) {
      return withFinal(search, begun);
    }
    if (sweep.search() instanceof BestOf search) {
      return withoutFinal(search, begun);
    }
    throw new AssertionError(sweep.search());
  }

  private StudyPlan withoutFinal(BestOf search, Optional<NoiseLevels> begun) {
    if (search.points().space().settings().contains(SearchedNumbers.SAMPLING_RATE)) {
      return new SampledRunsPlanner(sweep, search, steps).plan(begun);
    }
    boolean whole = search.passesBudget();
    List<Charge> others = QuestionCosts.withoutTraining(sweep, search.runs());
    NoiseMultiplier sigma =
        begun
            .map(NoiseLevels::lastNoise)
            .orElseGet(() -> whole ? least(budget, List.of()) : beside(others, search.runs()));
    Epsilon alone = epsilonAlone(sigma);
    if (whole && begun.isEmpty()) {
      requireLargeSamples(alone);
    }
    List<PlannedTrial> trials = search.trials(sweep.runScale(), alone, noise(sigma));
    List<Charge> charges =
        QuestionCosts.beforeFinal(
            sweep, trials, trial -> training(Question.trial(trial.number()), sigma));
    Budget kept = whole ? passed(budget, charges) : budget;
    return new StudyPlan(
        sweep, kept, trials, charges, new FinalShare.Kept(noise(sigma), alone, Optional.of(sigma)));
  }

  /** What a plan costs that passes its own budget. */
  static Budget passed(Budget budget, List<Charge> charges) {
    return new Budget(PlanTotal.of(budget, charges).epsilon(), budget.delta(), budget.adjacency());
  }

  private StudyPlan withFinal(TrialsThenFinal search, Optional<NoiseLevels> begun) {
    Map<Double, NoiseMultiplier> levels = new HashMap<>();
    for (SweepRound round : search.rounds()) {
      Epsilon epsilon = round.epsilon();
      levels.computeIfAbsent(
          epsilon.value(),
          unused ->
              begun
                  .map(known -> known.trial(epsilon).orElseThrow(FixedPlanner::otherPlan))
                  .orElseGet(() -> sigmaAlone(epsilon)));
    }
    List<PlannedTrial> trials =
        search.trials(sweep.runScale(), epsilon -> noise(level(levels, epsilon)));
    List<Charge> charges =
        QuestionCosts.beforeFinal(
            sweep,
            trials,
            trial -> training(Question.trial(trial.number()), level(levels, trial.epsilon())));
    NoiseMultiplier last = begun.map(NoiseLevels::lastNoise).orElseGet(() -> beside(charges, 1));
    Charge finalCharge = training(Question.FINAL, last);
    return new StudyPlan(
        sweep,
        budget,
        trials,
        charges,
        new FinalShare.Fixed(finalCharge, noise(last), last, Optional.empty()));
  }

  private static NoiseMultiplier level(Map<Double, NoiseMultiplier> levels, Epsilon epsilon) {
    NoiseMultiplier sigma = levels.get(epsilon.value());
    if (sigma == null) {
      throw otherPlan();
    }
    return sigma;
  }

  private static IllegalStateException otherPlan() {
    return new IllegalStateException("the study was begun with other sweeps than its definition");
  }

  private Charge training(Question question, NoiseMultiplier sigma) {
    return question.charge(sweep.train().method().mechanism(sigma, sweep.problem(), steps));
  }

  /** σ/q instead of σ is what a step's noise is relative to the sum over all rows. */
  private Mu noise(NoiseMultiplier sigma) {
    return noise(budget, sweep.train().method().samplingRate(), steps, sigma);
  }

  static Mu noise(Budget budget, double q, int steps, NoiseMultiplier sigma) {
    return Mu.of(budget.adjacency().sumSensitivity() * Math.sqrt(steps) * q / sigma.value());
  }

  /** σ with which a trial alone has this ε. */
  private NoiseMultiplier sigmaAlone(Epsilon epsilon) {
    return least(new Budget(epsilon, budget.delta(), budget.adjacency()), List.of());
  }

  /** σ with which the final run, or all of so many runs, and all else keep the budget. */
  private NoiseMultiplier beside(List<Charge> charges, int runs) {
    requireRoom(budget, charges);
    NoiseMultiplier sigma = least(budget, charges, runs);
    Epsilon left = epsilonAlone(sigma);
    if (isNextToNothing(left)) {
      requireLargeSamples(epsilonAlone(least(budget, List.of())));
      throw new PlanExceededException(
          "what else is charged leaves %s an epsilon of %s alone, of %s at delta %s"
              .formatted(
                  runs == 1 ? "the final run" : "each of " + runs + " runs",
                  left.value(),
                  budget.epsilon().value(),
                  budget.delta().value()));
    }
    return sigma;
  }

  private boolean isNextToNothing(Epsilon left) {
    return left.value() < budget.epsilon().value() * FinalShare.LEAST;
  }

  private Epsilon epsilonAlone(NoiseMultiplier sigma) {
    return PlanTotal.of(budget, List.of(training(Question.FINAL, sigma))).epsilon();
  }

  private void requireLargeSamples(Epsilon most) {
    double rate = sweep.train().method().samplingRate();
    if (rate < 1 && isNextToNothing(most)) {
      throw smallSamples(sweep, steps, rate, most);
    }
  }

  /**
   * Where δ covers that a row is in a sample at all, a run costs next to nothing at any noise.
   *
   * @param most what a run alone costs that has the whole budget
   */
  static InvalidSweepException smallSamples(
      SweepDefinition sweep, int steps, double rate, Epsilon most) {
    Budget budget = sweep.budget();
    return InvalidSweepException.of(
        sweep,
        ("train must take larger samples: with %d steps at a sampling rate of %.3g a run"
                + " alone has an epsilon of %s at delta %s, of the budget's %s, with"
                + " hardly any noise")
            .formatted(
                steps, rate, most.value(), budget.delta().value(), budget.epsilon().value()));
  }

  /** Whether what is beside the runs leaves anything of the budget. */
  static void requireRoom(Budget budget, List<Charge> beside) {
    if (!PlanTotal.keeps(budget, beside)) {
      throw new PlanExceededException(
          "the trials and scores alone have epsilon %s of %s at delta %s"
              .formatted(
                  PlanTotal.of(budget, beside).epsilon().value(),
                  budget.epsilon().value(),
                  budget.delta().value()));
    }
  }

  private NoiseMultiplier least(Budget whole, List<Charge> beside) {
    return least(whole, beside, 1);
  }

  /** The least σ of so many runs beside these charges. */
  private NoiseMultiplier least(Budget whole, List<Charge> beside, int runs) {
    return LeastNoise.of(whole, sigma -> with(beside, runs, sigma));
  }

  private List<Charge> with(List<Charge> beside, int runs, NoiseMultiplier sigma) {
    List<Charge> all = new ArrayList<>(beside);
    all.addAll(Collections.nCopies(runs, training(Question.FINAL, sigma)));
    return all;
  }
}
