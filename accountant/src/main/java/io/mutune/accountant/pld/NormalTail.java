package io.mutune.accountant.pld;

import org.apache.commons.numbers.gamma.Erfc;

/** The standard normal distribution's tails, to nearly all digits however small they are. */
final class NormalTail {
  /** Beyond it a tail is below the smallest normal double. */
  static final double FARTHEST = 38;

  private static final double SQRT_HALF = Math.sqrt(0.5);

  private NormalTail() {}

  /** P(Z > |z|), from which both tails at z follow. */
  static double beyond(double z) {
    return Erfc.value(Math.abs(z) * SQRT_HALF) / 2;
  }

  /**
   * P(Z > z). The greater tail is 1 less the other one, whose error is then a smaller part of it.
   *
   * @param beyond {@link #beyond} of z
   */
  static double above(double z, double beyond) {
    return z >= 0 ? beyond : 1 - beyond;
  }

  /**
   * P(Z ≤ z).
   *
   * @param beyond {@link #beyond} of z
   */
  static double below(double z, double beyond) {
    return z >= 0 ? 1 - beyond : beyond;
  }

  /**
   * Bounds the relative error of a tail at z, whose argument is off by two roundings: d ln P(Z > z)
   * ≤ (1 + z)·dz, and the function itself is good for a few units in the last place.
   */
  static double relativeError(double z) {
    return (8 + 3 * z * z) * Doubles.ULP;
  }

  /**
   * The same for a z that is itself off by {@code far} ulps of 1, and all tails up to {@code far}.
   */
  static double relativeErrorWithin(double far) {
    double z = Math.min(far, FARTHEST);
    return relativeError(z) + (1 + z) * far * Doubles.ULP;
  }
}
