package io.mutune.trainer.method.budget;

import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.Logits;
import java.util.Arrays;

/** The gradient of one row's loss, in double; 0 where it is not finite or the label is no class. */
final class RowGradient {
  private final Loss loss;
  private final int classes;
  private final double[] residual;

  RowGradient(Loss loss, int classes) {
    this.loss = loss;
    this.classes = classes;
    this.residual = new double[loss.columns(classes)];
  }

  /**
   * @param weights {@code [features, columns]}, row-major
   * @param gradient the same shape, overwritten
   */
  void compute(float[] rows, int offset, int label, double[] weights, double[] gradient) {
    Arrays.fill(gradient, 0);
    if (!loss.admits(label, classes)) {
      return;
    }
    Logits.compute(rows, offset, weights, residual);
    loss.toResidual(residual, label);
    for (int j = offset, w = 0; w < gradient.length; j++) {
      for (int c = 0; c < residual.length; c++, w++) {
        gradient[w] = rows[j] * residual[c];
        if (!Double.isFinite(gradient[w])) {
          Arrays.fill(gradient, 0);
          return;
        }
      }
    }
  }
}
