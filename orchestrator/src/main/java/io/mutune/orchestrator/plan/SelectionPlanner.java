package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans random stopping, on all rows or on samples: one charge, the selection's, whose run is a
 * Gaussian mechanism that holds the training and the score of a run. Its noise is the least with
 * which some accountant knows the budget to be kept, whatever the order of the runs' outputs.
 *
 * <p>A run on a Poisson sample is charged as one release of a sampled Gaussian, however many steps
 * it takes: given the others' coins it is, with the row in the sample, at most the run's μ away
 * from what it is without, and joint convexity over the coins does the rest (Zhu, Dong and Wang
 * 2022, Theorem 11). Steps on samples of their own would be charged one by one; these share one.
 */
final class SelectionPlanner {
  /** A run whose training has less of its μ than this gives noise alone. */
  private static final double LEAST_TRAINING = 1e-3;

  private final SweepDefinition sweep;
  private final Budget budget;
  private final SecretTrials search;
  private final Optional<NoiseLevels> begun;

  private SelectionPlanner(
      SweepDefinition sweep, SecretTrials search, Optional<NoiseLevels> begun) {
    this.sweep = sweep;
    this.budget = sweep.budget();
    this.search = search;
    this.begun = begun;
  }

  /**
   * Plans anew, or as a study was begun.
   *
   * @throws PlanExceededException if no noise keeps the budget, or a score leaves a run nothing
   */
  static StudyPlan plan(SweepDefinition sweep, SecretTrials search, Optional<NoiseLevels> begun) {
    SelectionPlanner planner = new SelectionPlanner(sweep, search, begun);
    return search.tuningEpsilon().map(planner::withFinal).orElseGet(planner::wholeBudget);
  }

  private StudyPlan wholeBudget() {
    NoiseMultiplier sigma =
        begun.map(NoiseLevels::lastNoise).orElseGet(() -> least(budget, Question.FINAL));
    FinalShare.Selection runs = runs(Question.FINAL, sigma);
    return new StudyPlan(sweep, budget, List.of(), List.of(), runs);
  }

  private StudyPlan withFinal(Epsilon tuning) {
    Budget part = new Budget(tuning, budget.delta(), budget.adjacency());
    NoiseMultiplier sigma =
        begun.flatMap(known -> known.trial(tuning)).orElseGet(() -> least(part, Question.TUNING));
    FinalShare.Selection runs = runs(Question.TUNING, sigma);
    if (!PlanTotal.keeps(budget, List.of(runs.charge()))) {
      throw new PlanExceededException(
          "tuning alone may have epsilon %s of %s at delta %s"
              .formatted(tuning.value(), budget.epsilon().value(), budget.delta().value()));
    }
    NoiseMultiplier last =
        begun
            .map(NoiseLevels::lastNoise)
            .orElseGet(() -> LeastNoise.of(budget, s -> List.of(runs.charge(), lastRun(s))));
    Charge lastCharge = lastRun(last);
    double alone = PlanTotal.of(budget, List.of(lastCharge)).epsilon().value();
    if (alone < budget.epsilon().value() * FinalShare.LEAST) {
      throw new PlanExceededException(
          "tuning leaves the final run an epsilon of %s alone, of %s at delta %s"
              .formatted(alone, budget.epsilon().value(), budget.delta().value()));
    }
    Mu mu = lastCharge.mechanism().mu().orElseThrow();
    return new StudyPlan(
        sweep,
        budget,
        List.of(),
        List.of(runs.charge()),
        new FinalShare.Fixed(lastCharge, mu, last, Optional.of(runs)));
  }

  private Charge lastRun(NoiseMultiplier sigma) {
    int steps = search.fixedSteps().orElseThrow();
    return Question.FINAL.charge(sweep.train().method().mechanism(sigma, sweep.problem(), steps));
  }

  private FinalShare.Selection runs(Question question, NoiseMultiplier sigma) {
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
    return new FinalShare.Selection(charge(question, sigma), training, sigma);
  }

  private Charge charge(Question question, NoiseMultiplier sigma) {
    Mechanism run =
        search.sampleRate() == 1
            ? new Gaussian(sigma, 1, 1)
            : new SubsampledGaussian(sigma, search.sampleRate(), 1, 1);
    return question.charge(new RepeatAndSelect(run, search.law()));
  }

  private NoiseMultiplier least(Budget part, Question question) {
    return LeastNoise.of(part, s -> List.of(charge(question, s)));
  }

  /** What the noise of a plan with a final run is kept as. */
  static NoiseLevels levels(SecretTrials search, FinalShare.Fixed share) {
    double epsilon = search.tuningEpsilon().orElseThrow().value();
    double sigma = share.secretRuns().orElseThrow().sigma().value();
    return new NoiseLevels(Map.of(epsilon, sigma), share.sigma().value());
  }
}
