package io.mutune.orchestrator.search;

import java.util.List;

/** Spreads a radius over steps without a learning rate that is known to oscillate. */
final class StabilityLimit {
  /**
   * By how much long runs may pass the limit of zero weights. That is of a row as curved as rows
   * get; where training goes, the losses of most rows are flatter, and rows do not all point one
   * way. Runs at twice the limit ended where those below it did (docs/method.md); at four times
   * some oscillated.
   */
  private static final double FLATTER = 2;

  /** In fewer steps a rate above the limit of zero weights lost accuracy. */
  private static final int LONG = 50;

  private StabilityLimit() {}

  /** The largest rate of a run of so many steps. */
  static double of(RunScale scale, int steps) {
    return (steps < LONG ? 1 : FLATTER) * scale.largestStableLearningRate();
  }

  /**
   * The point of radius r in {@code steps} steps; a rate over the limit is cut, and guards says so.
   */
  static TrialPoint spread(double radius, int steps, RunScale scale, List<Guard> guards) {
    return spread(radius, steps, of(scale, steps), guards);
  }

  /** The same with a limit of its own. */
  static TrialPoint spread(double radius, int steps, double limit, List<Guard> guards) {
    double rate = radius / steps;
    if (rate <= limit) {
      return new TrialPoint(rate, steps);
    }
    guards.add(
        Guard.of(
            "stability",
            "a radius of %.4g in %d steps needs a learning rate of %.4g; cut to the stable %.4g"
                + " (more steps would keep the radius)",
            radius,
            steps,
            rate,
            limit));
    return new TrialPoint(limit, steps);
  }
}
