package io.mutune.accountant.empirical;

/**
 * The exact bound on a probability from how often something happened (Clopper and Pearson, <i>The
 * use of confidence or fiducial limits illustrated in the case of the binomial</i>, Biometrika
 * 1934). It holds except with probability {@code alpha}, whatever the probability is, and is
 * rounded up.
 */
public final class ClopperPearson {
  /** Halvings of [0, 1]: beyond what a double near 1 can tell. */
  private static final int HALVINGS = 60;

  private ClopperPearson() {}

  /**
   * The probability is no greater than this.
   *
   * @param hits out of {@code trials}, which were fixed beforehand and independent
   * @param alpha in (0, 1): how often such a bound may be wrong
   */
  public static double upper(int hits, int trials, double alpha) {
    if (trials < 1 || hits < 0 || hits > trials) {
      throw new IllegalArgumentException(hits + " hits of " + trials + " trials");
    }
    Alpha.check(alpha);
    if (hits == trials) {
      return 1;
    }
    // Where a falling function passes alpha.
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (BinomialTail.atMost(hits, trials, middle) > alpha) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
