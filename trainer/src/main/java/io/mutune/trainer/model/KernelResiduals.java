package io.mutune.trainer.model;

import io.mutune.trainer.kernel.BlockKernel;

/**
 * From a block's logits to what its rows add, in units of C: the residual times {@code factor} and
 * the row's power of two. Working memory of one thread.
 *
 * <p>The norm that is clipped is that of the residual as stored in float32, taken in double. What
 * is then rounded is the factor and its product with the residual, each to within 2^-24.
 */
final class KernelResiduals {
  private static final int ROWS = BlockKernel.ROWS;

  private final BlockKernel kernel;
  private final RowLayout rows;
  private final Loss loss;
  private final int classes;
  private final int columns;
  private final double[] squares = new double[ROWS];
  private final float[] factors = new float[ROWS];
  private final float[] signs = new float[ROWS];
  private final double[] residual;

  KernelResiduals(BlockKernel kernel, RowLayout rows, Loss loss, int classes) {
    this.kernel = kernel;
    this.rows = rows;
    this.loss = loss;
    this.classes = classes;
    this.columns = loss.columns(classes);
    this.residual = new double[columns];
  }

  /**
   * @param z logits of one block and trial at {@code from}, {@code [columns, ROWS]}, of the rows as
   *     they are stored; overwritten
   */
  void ofLogits(float[] z, int from, int block, ClipNorm clip) {
    int first = block * ROWS;
    if (loss instanceof SoftmaxLoss) {
      kernel.softmax(z, from, columns, rows.low(), rows.high(), first);
      for (int i = 0; i < ROWS; i++) {
        int label = rows.labels()[first + i];
        if (loss.admits(label, classes)) {
          z[from + label * ROWS + i] -= 1;
        }
      }
    } else if (loss instanceof LogisticLoss) {
      for (int i = 0; i < ROWS; i++) {
        signs[i] = rows.labels()[first + i] == 1 ? -1 : 1;
      }
      kernel.logistic(z, from, signs, rows.low(), rows.high(), first);
    } else {
      otherLoss(z, from, first);
    }
    kernel.squares(z, from, columns, squares);
    for (int i = 0; i < ROWS; i++) {
      factors[i] = factor(first + i, Math.sqrt(squares[i]), clip);
    }
    kernel.scale(z, from, columns, factors);
  }

  private void otherLoss(float[] z, int from, int first) {
    for (int i = 0; i < ROWS; i++) {
      int label = rows.labels()[first + i];
      if (loss.admits(label, classes)) {
        double scale = scale(first + i);
        for (int c = 0; c < columns; c++) {
          residual[c] = scale * z[from + c * ROWS + i];
        }
        loss.toResidual(residual, label);
        for (int c = 0; c < columns; c++) {
          z[from + c * ROWS + i] = (float) residual[c];
        }
      }
    }
  }

  /** At most the greatest float: it is infinite only where the residual is subnormal. */
  private float factor(int row, double residualNorm, ClipNorm clip) {
    int label = rows.labels()[row];
    double norm = rows.norms()[row];
    if (norm == 0 || !loss.admits(label, classes)) {
      return 0;
    }
    double factor = clip.factor(norm * residualNorm) * (scale(row) / clip.value());
    return (float) Math.min(factor, Float.MAX_VALUE);
  }

  private double scale(int row) {
    return (double) rows.low()[row] * rows.high()[row];
  }
}
