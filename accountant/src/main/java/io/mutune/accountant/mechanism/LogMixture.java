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
    return x < OVERFLOWING
        ? Math.log1p(rate * Math.expm1(x))
        : x + Math.log(rate + (1 - rate) * Math.exp(-x));
  }
}
