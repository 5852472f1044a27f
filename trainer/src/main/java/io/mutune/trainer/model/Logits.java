package io.mutune.trainer.model;

import java.util.Arrays;

/** A row's logits in double. */
public final class Logits {
  /** The bits of a weight of which a product with a float32 is exact; so is that of the others. */
  private static final long LEADING = -1L << 24;

  private Logits() {}

  /**
   * Of one row.
   *
   * @param rows row-major rows
   * @param offset where the row starts
   * @param weights {@code [features, columns]}, row-major
   * @param logits {@code [columns]}, overwritten
   */
  public static void compute(float[] rows, int offset, double[] weights, double[] logits) {
    Arrays.fill(logits, 0);
    for (int j = offset, w = 0; w < weights.length; j++) {
      double x = rows[j];
      for (int c = 0; c < logits.length; c++, w++) {
        logits[c] += x * weights[w];
      }
    }
  }

  /**
   * The same with the rounding of each addition kept (Ogita, Rump and Oishi 2005): {@code logits +
   * rest} is off by at most d·2^−80·‖x‖‖w‖ for d features.
   *
   * @param rest {@code [columns]}, overwritten
   */
  public static void compute(
      float[] rows, int offset, double[] weights, double[] logits, double[] rest) {
    Arrays.fill(logits, 0);
    Arrays.fill(rest, 0);
    for (int j = offset, w = 0; w < weights.length; j++) {
      double x = rows[j];
      for (int c = 0; c < logits.length; c++, w++) {
        double leading = Double.longBitsToDouble(Double.doubleToRawLongBits(weights[w]) & LEADING);
        double product = x * leading;
        double sum = logits[c] + product;
        double added = sum - logits[c];
        rest[c] += (logits[c] - (sum - added)) + (product - added) + x * (weights[w] - leading);
        logits[c] = sum;
      }
    }
  }
}
