package io.mutune.accountant.renyi;

/** Remainders of exp and ln after their first terms, with all their digits near 0. */
final class Exponentials {
  /** Below it the series; above it the plain difference, which then loses a digit at most. */
  private static final double SERIES_BELOW = 0.25;

  private static final int SERIES_TERMS = 30;

  private Exponentials() {}

  /** e^x − 1 − x, which is at least 0. */
  static double expm1MinusX(double x) {
    if (Math.abs(x) > SERIES_BELOW) {
      return Math.expm1(x) - x;
    }
    double term = x * x / 2;
    double sum = term;
    for (int n = 3; n < SERIES_TERMS && Math.abs(term) > sum * 0x1p-60; n++) {
      term *= x / n;
      sum += term;
    }
    return sum;
  }

  /** (1 + u)·ln(1 + u) − u, which is at least 0; for u at least −1. */
  static double relativeEntropy(double u) {
    if (u == -1) {
      return 1;
    }
    if (Math.abs(u) > SERIES_BELOW) {
      return (1 + u) * Math.log1p(u) - u;
    }
    // Σ (−u)ⁿ/(n(n − 1)) from n = 2.
    double power = u * u;
    double sum = power / 2;
    for (int n = 3; n < SERIES_TERMS && Math.abs(power) > sum * 0x1p-60; n++) {
      power *= -u;
      sum += power / (n * (n - 1.0));
    }
    return sum;
  }

  /** ln(1 − e^(−x)), for x above 0. */
  static double logOneMinusExp(double x) {
    return x < Math.log(2) ? Math.log(-Math.expm1(-x)) : Math.log1p(-Math.exp(-x));
  }

  /** ln(1 − 1/α), for α above 1. */
  static double logComplement(double order) {
    return order < 2 ? Math.log((order - 1) / order) : Math.log1p(-1 / order);
  }

  /** ln(1 + e^x). */
  static double logOnePlusExp(double x) {
    return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
  }
}
