package io.mutune.orchestrator.search;

import java.util.List;
import java.util.Locale;

/** Spreads a radius over steps without a learning rate that is known to oscillate. */
final class StabilityLimit {
  private StabilityLimit() {}

  /**
   * The point of radius r in {@code steps} steps; a rate over the limit is cut, and guards says so.
   */
  static TrialPoint spread(double radius, int steps, RunScale scale, List<Guard> guards) {
    double rate = radius / steps;
    double limit = scale.largestStableLearningRate();
    if (rate <= limit) {
      return new TrialPoint(rate, steps);
    }
    guards.add(
        new Guard(
            "stability",
            String.format(
                Locale.ROOT,
                "a radius of %.4g in %d steps needs a learning rate of %.4g; cut to the stable %.4g"
                    + " (more steps would keep the radius)",
                radius,
                steps,
                rate,
                limit)));
    return new TrialPoint(limit, steps);
  }
}
