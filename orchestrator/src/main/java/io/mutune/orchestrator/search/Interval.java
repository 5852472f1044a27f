package io.mutune.orchestrator.search;

/**
 * A range of a positive hyperparameter.
 *
 * @param min above 0
 * @param max finite, at least min
 * @param scale on which its points are spread
 */
public record Interval(double min, double max, Scale scale) {
  /** How points are spread over a range. */
  public enum Scale {
    LINEAR,
    LOG
  }

  public Interval {
    if (!(min > 0 && max >= min) || Double.isInfinite(max)) {
      throw new IllegalArgumentException("a range needs 0 < min <= max; was " + min + " to " + max);
    }
  }

  /**
   * The point at a share in [0, 1] of the way from min to max. The logarithm is the strict one, so
   * that a plan is the same on every machine.
   */
  public double at(double share) {
    double value =
        switch (scale) {
          case LINEAR -> min + share * (max - min);
          case LOG -> {
            double low = StrictMath.log(min);
            yield StrictMath.exp(low + share * (StrictMath.log(max) - low));
          }
        };
    return clamp(value);
  }

  /** Whether it is a single value. */
  public boolean isOneValue() {
    return min == max;
  }

  public double clamp(double value) {
    return Math.min(max, Math.max(min, value));
  }

  public boolean contains(double value) {
    return value >= min && value <= max;
  }
}
