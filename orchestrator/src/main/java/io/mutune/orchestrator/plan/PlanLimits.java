package io.mutune.orchestrator.plan;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Problem;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.noise.Grid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plan that is complete is held to. */
final class PlanLimits {
  private PlanLimits() {}

  /**
   * One of which the method has every run.
   *
   * @throws InvalidSweepException if it has none with the noise of a run
   */
  static StudyPlan ofRunsThatExist(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    for (NoiseMultiplier sigma : runNoise(plan).values()) {
      Optional<String> why =
          sweep.train().method().whyNoRun(sigma, sweep.problem(), sweep.data().modelFeatures());
      if (why.isPresent()) {
        throw new InvalidSweepException(
            List.of(new Problem(sweep.name(), 0, "train: " + why.get())));
      }
    }
    return plan;
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
   * One of which all noise can be drawn on its grid, and all sums be held by it: too fine a grid
   * leaves no room for them.
   *
   * @throws InvalidSweepException if a deviation may come to more than 2^55 grid steps, or a sum of
   *     the public number of rows to more than 2^52, where it would be cut off
   */
  static StudyPlan onItsGrid(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    Optional<Grid> grid = sweep.run().noise().grid();
    if (grid.isEmpty()) {
      return plan;
    }
    List<Problem> problems = new ArrayList<>();
    double unit = sweep.train().method().stepUnit();
    runNoise(plan)
        .forEach((what, sigma) -> check(sweep, grid.get(), what, sigma.value() * unit, problems));
    for (PlannedTrial trial : plan.trials()) {
      plan.scoreCharge(trial).ifPresent(score -> check(sweep, grid.get(), score, problems));
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
                    mean.mechanism(sweep).sigma().value() * mean.clipNorm().value(),
                    problems));
    plan.testCharges().forEach(test -> check(sweep, grid.get(), test, problems));
    if (plan.chargesFinal()) {
      checkSums(sweep, grid.get(), "training", unit, problems);
    }
    sweep
        .data()
        .mean()
        .ifPresent(
            mean ->
                checkSums(
                    sweep, grid.get(), Question.MEAN.name(), mean.clipNorm().value(), problems));
    if (!problems.isEmpty()) {
      throw new InvalidSweepException(problems.subList(0, 1));
    }
    return plan;
  }

  /**
   * @param unit what a row adds at most
   */
  private static void checkSums(
      SweepDefinition sweep, Grid grid, String what, double unit, List<Problem> problems) {
    if (!grid.holds(sweep.rows() * unit)) {
      problems.add(
          new Problem(
              sweep.name(),
              0,
              "run.noise.grid must be coarser: the sums of %s, over %d rows, may come to more than"
                      .formatted(what, sweep.rows())
                  + " 2^52 steps of 2^"
                  + grid.exponent()
                  + " and would be cut off"));
    }
  }

  /** Of a count, whose unit is 1. */
  private static void check(
      SweepDefinition sweep, Grid grid, Charge score, List<Problem> problems) {
    score
        .mechanism()
        .noise()
        .ifPresent(sigma -> check(sweep, grid, score.what(), sigma.value(), problems));
  }

  private static void check(
      SweepDefinition sweep, Grid grid, String what, double deviation, List<Problem> problems) {
    if (!grid.suits(deviation)) {
      problems.add(
          new Problem(
              sweep.name(),
              0,
              "run.noise.grid must be coarser: the noise of %s, of deviation %.3g, would take more"
                      .formatted(what, deviation)
                  + " than 2^55 steps of 2^"
                  + grid.exponent()));
    }
  }
}
