package io.mutune.trainer.score;

import java.util.function.DoubleUnaryOperator;

/**
 * A share from two noisy sums A and B (Fieller 1954): those r in [0, 1] for which A − rB is within
 * 1.96 of its deviations at r. Where noise hides B that is all of [0, 1]. Where noise puts the
 * share outside [0, 1], the r that fits best counts as 0 deviations away, as Feldman and Cousins
 * (1998) order them: the interval is never a single point.
 */
final class NoisyRatio {
  private static final int PARTS = 2000;

  private NoisyRatio() {}

  /**
   * A/B held within [0, 1], ½ where B is not above 0.
   *
   * @param variance of A − rB where r is the true share, by r
   */
  static Estimate of(double part, double whole, DoubleUnaryOperator variance) {
    double value = whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0.5;
    double least = Double.MAX_VALUE;
    for (int i = 0; i <= PARTS; i++) {
      least = Math.min(least, distance(part, whole, at(i), variance));
    }
    double low = value;
    double high = value;
    for (int i = 0; i <= PARTS; i++) {
      double r = at(i);
      if (distance(part, whole, r, variance) <= least + 1) {
        // A part further out, so that the ends are within it.
        low = Math.min(low, Math.max(0, r - 1.0 / PARTS));
        high = Math.max(high, Math.min(1, r + 1.0 / PARTS));
      }
    }
    return new Estimate(value, low, high);
  }

  /** In squares of 1.96 deviations. */
  private static double distance(
      double part, double whole, double r, DoubleUnaryOperator variance) {
    double deviations = (part - r * whole) / Estimate.QUANTILE;
    return deviations == 0 ? 0 : deviations * deviations / variance.applyAsDouble(r);
  }

  private static double at(int part) {
    return (double) part / PARTS;
  }
}
