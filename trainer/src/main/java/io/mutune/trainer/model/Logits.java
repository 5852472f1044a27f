package io.mutune.trainer.model;

import java.util.Arrays;

/** A row's logits in double. */
final class Logits {
  private Logits() {}

  /**
   * @param rows row-major rows
   * @param offset where the row starts
   * @param weights {@code [features, columns]}, row-major
   * @param logits {@code [columns]}, overwritten
   */
  static void compute(float[] rows, int offset, double[] weights, double[] logits) {
    Arrays.fill(logits, 0);
    for (int j = offset, w = 0; w < weights.length; j++) {
      double x = rows[j];
      for (int c = 0; c < logits.length; c++, w++) {
        logits[c] += x * weights[w];
      }
    }
  }
}
