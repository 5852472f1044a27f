package io.mutune.accountant.empirical;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/** Tails of Binomial(n, p), each rounded up: a p-value that is too large accuses nobody wrongly. */
final class BinomialTail {
  /**
   * More than the incomplete beta function is off by, relative; and below it whatever underflows.
   */
  private static final double ROOM = 1e-10;

  private static final double LEAST = 1e-250;

  private BinomialTail() {}

  /** At least P[Binomial(n, p) ≥ k], at most 1. */
  static double atLeast(int k, int n, double p) {
    if (k <= 0) {
      return 1;
    }
    return k > n ? 0 : up(RegularizedBeta.value(p, k, n - k + 1.0));
  }

  /** At least P[Binomial(n, p) ≤ k], at most 1. */
  static double atMost(int k, int n, double p) {
    if (k >= n) {
      return 1;
    }
    return k < 0 ? 0 : up(RegularizedBeta.complement(p, k + 1.0, n - k));
  }

  private static double up(double value) {
    return Math.min(1, value * (1 + ROOM) + LEAST);
  }
}
