package io.mutune.orchestrator.search;

import java.util.Map;
import java.util.SortedMap;

/**
 * The hyperparameters of one run.
 *
 * @param learningRate η, finite and above 0
 * @param steps T, at least 1
 * @param settings the method's own numbers by their keys, where they are searched too: in place of
 *     the sweep's
 */
public record TrialPoint(double learningRate, int steps, Map<String, Double> settings) {
  /** With the sweep's settings. */
  public TrialPoint(double learningRate, int steps) {
    this(learningRate, steps, Map.of());
  }

  public TrialPoint {
    settings = Map.copyOf(settings);
    if (!(learningRate > 0) || Double.isInfinite(learningRate) || steps < 1) {
      throw new IllegalArgumentException(
          "a run needs a learning rate above 0 and at least one step; was "
              + learningRate
              + " and "
              + steps);
    }
  }

  /** The same with these settings. */
  public TrialPoint with(Map<String, Double> others) {
    return new TrialPoint(learningRate, steps, others);
  }

  /** The settings in the order in which they are drawn. */
  public SortedMap<String, Double> sortedSettings() {
    return SearchedNumbers.sorted(settings);
  }

  /** r = η·T. */
  public double radius() {
    return learningRate * steps;
  }

  /** r·C where the clip norm C is searched too, else r: what a line of linear scaling is for. */
  double jointRadius() {
    return radius() * settings.getOrDefault(SearchedNumbers.CLIP_NORM, 1.0);
  }
}
