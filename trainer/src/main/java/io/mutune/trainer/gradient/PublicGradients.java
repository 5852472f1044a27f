package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.Logits;
import java.util.Arrays;

/**
 * Gradients of public rows, not clipped, with the norm of each: row by row in double. A row whose
 * gradient is not finite adds nothing and has norm 0. Belongs to one thread at a time.
 */
public final class PublicGradients {
  private final RowBlocks rows;
  private final Loss loss;
  private final double[] residual;
  private final double[] norms;

  /**
   * @throws IllegalArgumentException if {@code loss} is not made for so many classes
   */
  public PublicGradients(PublicRows rows, Loss loss, int classes) {
    this.rows = rows.blocks();
    this.loss = loss;
    this.residual = new double[loss.columns(classes)];
    this.norms = new double[Math.toIntExact(this.rows.rows())];
  }

  /**
   * Computes both at {@code weights}.
   *
   * @param weights {@code [features, columns]}, row-major
   * @param sum Σ∇ℓ(w), the same shape, overwritten
   * @return ‖∇ℓ(w)‖ of every row, in order; overwritten by the next call
   */
  public double[] compute(double[] weights, double[] sum) {
    Arrays.fill(sum, 0);
    int features = rows.columns();
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        norms[row] = addRow(block.features(), i * features, block.labels()[i], weights, sum);
      }
    }
    return norms;
  }

  private double addRow(float[] values, int offset, int label, double[] weights, double[] sum) {
    Logits.compute(values, offset, weights, residual);
    loss.toResidual(residual, label);
    double norm = EuclideanNorm.of(values, offset, rows.columns()) * EuclideanNorm.of(residual);
    if (!Double.isFinite(norm)) {
      return 0;
    }
    for (int j = offset, w = 0; w < sum.length; j++) {
      double x = values[j];
      if (x == 0) {
        w += residual.length;
        continue;
      }
      for (int c = 0; c < residual.length; c++, w++) {
        sum[w] += x * residual[c];
      }
    }
    return norm;
  }
}
