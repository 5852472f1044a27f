package io.mutune.accountant.empirical;

import io.mutune.accountant.Delta;

/**
 * A lower bound on ε from a single run (Steinke, Nasr and Jagielski, <i>Privacy Auditing with One
 * (1) Training Run</i>, NeurIPS 2023, Theorem 5.2). Whatever the attacker does and however the rows
 * depend on each other: if the run is (ε, δ)-DP under add/remove of a row, then
 *
 * <pre>
 *   P[right ≥ v] ≤ P[W ≥ v] + 2mδ · max over i in 1…v of P[v > W ≥ v − i] / i,
 *   W ~ Binomial(r, e^ε/(1 + e^ε))
 * </pre>
 *
 * <p>so that an ε for which the right side is below 1 − confidence is refuted. An (ε, δ)-DP run is
 * (ε', δ)-DP for every greater ε'; the bound is the end of an unbroken stretch of refuted values
 * from 0, found in steps for which the right side is bounded over the whole step at once. So it
 * needs no monotonicity, and is rounded down.
 */
public final class OneRunAudit {
  /** The first step tried, and the smallest: how far the bound may fall short of the best one. */
  private static final double FIRST_STEP = 1.0 / 16;

  private static final double LAST_STEP = 1.0 / 4096;

  /** No run of a computer shows more: there e^−ε is the chance of a flipped bit. */
  private static final double MOST = 64;

  private OneRunAudit() {}

  /**
   * The run is not (ε, δ)-DP for any ε below this, except with probability {@code alpha}.
   *
   * @param alpha 1 less the confidence, in (0, 1)
   */
  public static double epsilonAtLeast(Guesses guesses, Delta delta, double alpha) {
    Alpha.check(alpha);
    double refuted = 0;
    double step = FIRST_STEP;
    while (step >= LAST_STEP && refuted < MOST) {
      if (over(guesses, refuted, refuted + step, delta) < alpha) {
        refuted += step;
      } else {
        step /= 2;
      }
    }
    return refuted;
  }

  /**
   * At least every p-value from one ε to another: the probability of so many right guesses on an
   * (ε, δ)-DP run.
   *
   * @param from at least 0
   */
  static double over(Guesses guesses, double from, double to, Delta delta) {
    int made = guesses.made();
    int right = guesses.right();
    double least = 1 / (1 + Math.exp(-from)) * (1 - 0x1p-50);
    double most = Math.min(1, 1 / (1 + Math.exp(-to)) * (1 + 0x1p-50));
    double tail = BinomialTail.atLeast(right, made, most);
    if (delta.value() == 0) {
      return tail;
    }
    // The smallest of what is taken away from every term: it is rounded up, so by its room less.
    double beyond = BinomialTail.atLeast(right, made, least) * (1 - 1e-9);
    double worst = 0;
    for (int i = 1; i <= right; i++) {
      double within = BinomialTail.atLeast(right - i, made, most);
      worst = Math.max(worst, (within - beyond) / i);
      if (1.0 / (i + 1) <= worst) {
        break; // no later term can be greater
      }
    }
    return Math.min(1, tail + 2.0 * guesses.rows() * delta.value() * worst);
  }
}
