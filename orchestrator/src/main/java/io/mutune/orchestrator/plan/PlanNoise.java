package io.mutune.orchestrator.plan;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Searched;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The noise of a plan's runs.
 *
 * @param charge of a trial's training
 */
record PlanNoise(SweepDefinition sweep, FinalShare share, Function<PlannedTrial, Charge> charge) {
  /** Of a final run whose steps are chosen later. */
  private static final List<Integer> SHOWN_STEPS = List.of(10, 30, 100, 300, 1000);

  /** As {@link StudyPlan#noiseLevels}. */
  Optional<NoiseLevels> levels(List<PlannedTrial> trials) {
    if (share instanceof FinalShare.Kept kept) {
      return kept.sigma().map(sigma -> new NoiseLevels(kept.byRate(), sigma.value()));
    }
    if (share instanceof FinalShare.Selection selection) {
      return Optional.of(new NoiseLevels(Map.of(), selection.sigma().value()));
    }
    if (!(share instanceof FinalShare.Fixed fixed)) {
      return Optional.empty();
    }
    if (fixed.secretRuns().isPresent()) {
      return Optional.of(SelectionPlanner.levels((SecretTrials) sweep.search(), fixed));
    }
    Map<Double, Double> levels = new TreeMap<>();
    for (PlannedTrial trial : trials) {
      levels.put(trial.epsilon().value(), of(trial).value());
    }
    return Optional.of(new NoiseLevels(levels, fixed.sigma().value()));
  }

  /** What a trial's method takes as σ. */
  NoiseMultiplier of(PlannedTrial trial) {
    return share.inMu()
        ? MuPlanner.noise(sweep, trial.mu(), trial.steps())
        : NoiseMultiplier.of(declared(charge.apply(trial)));
  }

  /** What the method takes as σ in the final run, or in each run of random stopping. */
  NoiseMultiplier ofFinal(TrialPoint point) {
    return share instanceof FinalShare.InMu || share instanceof FinalShare.Selection
        ? MuPlanner.noise(sweep, share.noise(), point.steps())
        : share.onlyFinal().sigma();
  }

  /** σ that a charge names; empty where the run has a budget of its own in its place. */
  OptionalDouble named(Charge training) {
    return sweep.train().method().searched() == Searched.NOTHING
        ? OptionalDouble.empty()
        : OptionalDouble.of(declared(training));
  }

  /**
   * As {@link StudyPlan#finalSigmas}.
   *
   * @param charge of the final run with so many steps
   */
  Map<Integer, Double> ofFinal(Function<Integer, Charge> charge) {
    if (sweep.train().method().searched() == Searched.NOTHING || share instanceof FinalShare.Kept) {
      return Map.of();
    }
    if (share instanceof FinalShare.Fixed) {
      int only = sweep.search().fixedSteps().orElseThrow();
      return Map.of(only, declared(charge.apply(only)));
    }
    Map<Integer, Double> sigmas = new TreeMap<>();
    for (int count : SHOWN_STEPS) {
      sigmas.put(count, declared(charge.apply(count)));
    }
    return sigmas;
  }

  private static double declared(Charge training) {
    return training
        .mechanism()
        .noise()
        .orElseThrow(() -> new IllegalArgumentException("no noise multiplier: " + training))
        .value();
  }
}
