package io.mutune.trainer.method.budget;

import io.mutune.trainer.noise.UniformStream;

/**
 * The exponential mechanism: index k with probability proportional to e^(score k), as the greatest
 * score after each is given independent Gumbel noise −ln(−ln u).
 */
final class GumbelMax {
  private static final double HALF_STEP = 0x1p-54;

  private GumbelMax() {}

  /** The index; one draw a score, whatever the scores are. */
  static int choose(double[] scores, UniformStream bits) {
    int best = 0;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < scores.length; k++) {
      double uniform = (bits.next() >>> (Long.SIZE - UniformStream.CHANCE_BITS)) * 0x1p-53;
      double noisy = scores[k] - Math.log(-Math.log(uniform + HALF_STEP));
      if (noisy > greatest) {
        greatest = noisy;
        best = k;
      }
    }
    return best;
  }
}
