package io.mutune.orchestrator.search;

/**
 * The hyperparameters of one run.
 *
 * @param learningRate η, finite and above 0
 * @param steps T, at least 1
 */
public record TrialPoint(double learningRate, int steps) {
  public TrialPoint {
    if (!(learningRate > 0) || Double.isInfinite(learningRate) || steps < 1) {
      throw new IllegalArgumentException(
          "a run needs a learning rate above 0 and at least one step; was "
              + learningRate
              + " and "
              + steps);
    }
  }

  /** r = η·T. */
  public double radius() {
    return learningRate * steps;
  }
}
