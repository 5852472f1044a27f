package io.mutune.accountant.empirical;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How surprising numbers are that should be independent draws of N(0, 1), as noise is in units of
 * its charge: probabilities that sound noise would look as bad, good for what a p-value is for.
 */
public final class NoiseTest {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  private NoiseTest() {}

  /** That Σz² is so far from their number, to either side; χ² of as many degrees. */
  public static double wrongScale(double[] z) {
    ChiSquaredDistribution law = ChiSquaredDistribution.of(z.length);
    double sum = squares(z);
    return Math.min(1, 2 * Math.min(law.cumulativeProbability(sum), law.survivalProbability(sum)));
  }

  /** That two of them are so alike, or so opposite: given a, ⟨a, b⟩/‖a‖ is N(0, 1) exactly. */
  public static double related(double[] a, double[] b) {
    double product = 0;
    for (int i = 0; i < a.length; i++) {
      product += a[i] * b[i];
    }
    double norm = Math.sqrt(squares(a));
    return norm == 0 ? 1 : 2 * NORMAL.survivalProbability(Math.abs(product) / norm);
  }

  private static double squares(double[] z) {
    double squares = 0;
    for (double value : z) {
      squares += value * value;
    }
    return squares;
  }
}
