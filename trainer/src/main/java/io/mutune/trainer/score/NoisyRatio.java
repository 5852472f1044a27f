package io.mutune.trainer.score;

import java.util.function.DoubleUnaryOperator;

/**
 * A share from two noisy sums A and B (Fieller 1954): those r in [0, 1] for which A − rB is within
 * 1.96 of its deviations at r. Where noise hides B that is all of [0, 1].
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
    double low = value;
    double high = value;
    for (int i = 0; i <= PARTS; i++) {
      double r = (double) i / PARTS;
      double distance = (part - r * whole) / Estimate.QUANTILE;
      if (distance * distance <= variance.applyAsDouble(r)) {
        // A part further out, so that the ends are within it.
        low = Math.min(low, Math.max(0, r - 1.0 / PARTS));
        high = Math.max(high, Math.min(1, r + 1.0 / PARTS));
      }
    }
    return new Estimate(value, low, high);
  }
}
