package io.mutune.orchestrator.search;

import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;

/**
 * The number of runs that a uniform number stands for. The laws are held to within their rounding,
 * about 1e-15 in total variation, and end where less than that is left of them.
 */
final class CountLaw {
  /** No law whose mean is allowed in a sweep comes near it. */
  private static final int MOST = 1_000_000;

  private CountLaw() {}

  /**
   * The least k with P(K ≤ k) ≥ u.
   *
   * @param u in (0, 1)
   */
  static int quantile(TrialCount law, double u) {
    int k;
    double probability;
    if (law instanceof TruncatedNegativeBinomial tnb) {
      k = 1;
      probability = first(tnb);
    } else if (law instanceof PoissonTrials poisson) {
      k = 0;
      probability = Math.exp(-poisson.mean());
    } else {
      throw new AssertionError(law);
    }
    double sum = probability;
    // Rounding may keep the sum below u for ever: past the mean the rest is then nothing.
    while (sum < u && k < MOST && !(k > law.mean() && probability < 0x1p-70)) {
      probability *= ratio(law, k);
      k++;
      sum += probability;
    }
    return k;
  }

  /** P(K = 1): η(1 − γ)/(γ^−η − 1), and (1 − γ)/ln(1/γ) for η = 0. */
  private static double first(TruncatedNegativeBinomial law) {
    double logInverse = -Math.log(law.gamma());
    double divisor =
        law.shape() == 0 ? logInverse : Math.expm1(law.shape() * logInverse) / law.shape();
    return (1 - law.gamma()) / divisor;
  }

  /** P(K = k + 1)/P(K = k). */
  private static double ratio(TrialCount law, int k) {
    return law instanceof TruncatedNegativeBinomial tnb
        ? (1 - tnb.gamma()) * (k + tnb.shape()) / (k + 1)
        : law.mean() / (k + 1);
  }
}
