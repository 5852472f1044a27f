package io.mutune.orchestrator.plan;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.noise.Grid;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a plan that is complete is held to. */
final class PlanLimits {
  private PlanLimits() {}

  /**
   * A new one: it has scores, the method has every run, and its grid holds all sums.
   *
   * @throws InvalidSweepException if secret runs have an uncharged score, if there is no run with
   *     the noise of one, or if a sum of the public number of rows may come to more than 2^52 grid
   *     steps, where it would be cut off
   */
  static StudyPlan ofNew(StudyPlan plan) {
    requireScores(plan.sweep());
    requireRuns(plan);
    requireSums(plan.sweep());
    return plan;
  }

  /** Runs of which nothing is told have their score in their charge, or on public rows. */
  private static void requireScores(SweepDefinition sweep) {
    if (sweep.search().isSecret() && sweep.score() instanceof ScoreRule.Uncharged) {
      throw InvalidSweepException.of(
          sweep,
          "search.strategy must not be %s with an uncharged score: its runs are secret"
              .formatted(sweep.search().name()));
    }
  }

  private static void requireRuns(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    for (NoiseMultiplier sigma : runNoise(plan).values()) {
      Optional<String> why =
          sweep.train().method().whyNoRun(sigma, sweep.problem(), sweep.data().modelFeatures());
      if (why.isPresent()) {
        throw InvalidSweepException.of(sweep, "train: " + why.get());
      }
    }
  }

  /** Noise on a grid is for methods that are charged, whichever run's model is the result. */
  private static void requireSums(SweepDefinition sweep) {
    DataSource training = sweep.data().training();
    requireSums(sweep, "training", training, sweep.train().method().stepUnit());
    sweep
        .data()
        .mean()
        .ifPresent(
            mean -> requireSums(sweep, Question.MEAN.name(), training, mean.clipNorm().value()));
    if (sweep.score() instanceof ScoreRule.NoisyCount score) {
      DataSource scored = score.onTraining() ? training : sweep.data().validation().orElseThrow();
      requireSums(sweep, "scores", scored, 1);
      sweep
          .data()
          .test()
          .filter(DataSource::isPrivate)
          .ifPresent(test -> requireSums(sweep, "test figures", test, 1));
    }
  }

  /**
   * @param unit what a row adds at most
   */
  private static void requireSums(
      SweepDefinition sweep, String what, DataSource part, double unit) {
    long rows = part.rows().orElseThrow();
    Optional<Grid> tooFine = sweep.run().noise().grid().filter(grid -> !grid.holds(rows * unit));
    if (tooFine.isPresent()) {
      throw InvalidSweepException.of(
          sweep,
          ("run.noise.grid must be coarser: the sums of %s, over %d rows, may come to more"
                  + " than 2^52 steps of 2^%d and would be cut off")
              .formatted(what, rows, tooFine.get().exponent()));
    }
  }

  /**
   * What the method takes as σ in each run, by the run's name; a final run whose steps come later
   * is taken with the most that a sweep can have.
   */
  private static Map<String, NoiseMultiplier> runNoise(StudyPlan plan) {
    Map<String, NoiseMultiplier> all = new LinkedHashMap<>();
    for (PlannedTrial trial : plan.trials()) {
      all.put(plan.trialCharge(trial).what(), plan.trialNoise(trial));
    }
    if (plan.chargesFinal()) {
      int steps = plan.sweep().search().fixedSteps().orElse(StepRange.MOST);
      TrialPoint point = new TrialPoint(1, steps);
      all.put(Question.FINAL.name(), plan.finalNoise(point));
      plan.releases()
          .forEach(release -> all.put(release.name(), plan.releaseNoise(release, point)));
    }
    return all;
  }

  /**
   * One of which all noise can be drawn on its grid.
   *
   * @throws InvalidSweepException if a deviation may come to more than 2^55 grid steps
   */
  static StudyPlan onItsGrid(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    Optional<Grid> grid = sweep.run().noise().grid();
    if (grid.isEmpty()) {
      return plan;
    }
    double unit = sweep.train().method().stepUnit();
    runNoise(plan).forEach((what, sigma) -> check(sweep, grid.get(), what, sigma.value() * unit));
    for (PlannedTrial trial : plan.trials()) {
      plan.scoreCharge(trial).ifPresent(score -> check(sweep, grid.get(), score));
    }
    sweep
        .data()
        .mean()
        .ifPresent(
            mean ->
                check(
                    sweep,
                    grid.get(),
                    Question.MEAN.name(),
                    mean.mechanism(sweep).sigma().value() * mean.clipNorm().value()));
    plan.testCharges().forEach(test -> check(sweep, grid.get(), test));
    return plan;
  }

  /** Of a count, whose unit is 1. */
  private static void check(SweepDefinition sweep, Grid grid, Charge score) {
    score.mechanism().noise().ifPresent(sigma -> check(sweep, grid, score.what(), sigma.value()));
  }

  private static void check(SweepDefinition sweep, Grid grid, String what, double deviation) {
    if (!grid.suits(deviation)) {
      throw InvalidSweepException.of(
          sweep,
          ("run.noise.grid must be coarser: the noise of %s, of deviation %.3g, would take more"
                  + " than 2^55 steps of 2^%d")
              .formatted(what, deviation, grid.exponent()));
    }
  }
}
