package io.mutune.orchestrator.search;

import java.util.OptionalDouble;

/**
 * A trial with the score that was released for it.
 *
 * @param score accuracy, higher is better; noisy ones may leave [0, 1]; empty if it was lost in a
 *     crash
 * @param deviation of the score around the accuracy of its model, from public numbers; at least 0
 */
public record ScoredTrial(PlannedTrial trial, OptionalDouble score, double deviation) {
  /** A score that is no number compares with nothing, and is taken as lost. */
  public ScoredTrial {
    if (score.isPresent() && !Double.isFinite(score.getAsDouble())) {
      score = OptionalDouble.empty();
    }
  }
}
