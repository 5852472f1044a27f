package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The noise of a plan that is fixed beforehand. Finding it takes seconds, and its last digits are
 * those of numerical composition, so a study keeps what it was begun with.
 *
 * @param trials σ by the ε of a trial, or by its sampling rate where trials differ in that
 * @param last σ of the final run
 */
public record NoiseLevels(Map<Double, Double> trials, double last) {
  public NoiseLevels {
    trials = Map.copyOf(new TreeMap<>(trials));
  }

  /** σ of trials at this ε, if there are such trials. */
  Optional<NoiseMultiplier> trial(Epsilon epsilon) {
    return Optional.ofNullable(trials.get(epsilon.value())).map(NoiseMultiplier::of);
  }

  NoiseMultiplier lastNoise() {
    return NoiseMultiplier.of(last);
  }
}
