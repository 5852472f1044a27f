package io.mutune.accountant.mechanism;

/**
 * ln(1 − q + q·e^x), not rounded in any direction: a row that is in a sample with probability q
 * turns a privacy loss of x into this (Balle, Barthe and Gaboardi 2018).
 */
public final class LogMixture {
  /** Below it e^x is a finite double. */
  private static final double OVERFLOWING = 700;

  private LogMixture() {}

  /**
   * The value, right to a few units in the last place also where e^x overflows.
   *
   * @param rate q, above 0 and at most 1
   */
  public static double of(double rate, double x) {
    if (x < OVERFLOWING) {
      double change = rate * Math.expm1(x);
      // Near −1, what is left of 1 is told by 1 − q alone.
      return change > -0.5 ? Math.log1p(change) : Math.log(1 - rate + rate * Math.exp(x));
    }
    double root = Math.exp(x / 2);
    double product = rate * root * root;
    // Where that overflows too, ln q is far from cancelling x.
    return product < Double.POSITIVE_INFINITY
        ? Math.log1p(product - rate)
        : x + Math.log(rate + (1 - rate) * Math.exp(-x));
  }
}
