package io.mutune.accountant.empirical;

import java.util.function.DoubleUnaryOperator;

/**
 * Exact bounds on a probability from how often something happened (Clopper and Pearson, <i>The use
 * of confidence or fiducial limits illustrated in the case of the binomial</i>, Biometrika 1934).
 * Each holds alone except with probability {@code alpha}, whatever the probability is; each is
 * rounded outwards.
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
    check(hits, trials, alpha);
    return hits == trials ? 1 : crossing(p -> BinomialTail.atMost(hits, trials, p), alpha).high();
  }

  /** The probability is no less than this. */
  public static double lower(int hits, int trials, double alpha) {
    check(hits, trials, alpha);
    return hits == 0 ? 0 : crossing(p -> -BinomialTail.atLeast(hits, trials, p), -alpha).low();
  }

  private static void check(int hits, int trials, double alpha) {
    if (trials < 1 || hits < 0 || hits > trials) {
      throw new IllegalArgumentException(hits + " hits of " + trials + " trials");
    }
    Alpha.check(alpha);
  }

  private record Bracket(double low, double high) {}

  /** Around where a falling function passes {@code level}. */
  private static Bracket crossing(DoubleUnaryOperator falling, double level) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (falling.applyAsDouble(middle) > level) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Bracket(low, high);
  }
}
