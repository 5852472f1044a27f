package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.loss.ClassWeights;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.WeightedLoss;
import org.jspecify.annotations.Nullable;

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
  private final float @Nullable [] weights;
  private final int classes;
  private final boolean mirrored;
  private final int columns;
  private final double[] scales;
  private final double[] squares = new double[ROWS];
  private final float[] factors = new float[ROWS];
  private final float[] signs = new float[ROWS];
  private final double[] residual;
  private final UnitFactors ofUnits;

  /**
   * @param scales what {@link #scales} gives for these rows
   */
  KernelResiduals(BlockKernel kernel, RowLayout rows, double[] scales, Loss loss, int classes) {
    this.kernel = kernel;
    this.rows = rows;
    this.scales = scales;
    this.loss = loss.unweighted();
    this.weights = loss instanceof WeightedLoss weighted ? floats(weighted.weights()) : null;
    this.classes = classes;
    mirrored = isMirrored(loss, classes);
    columns = columns(loss, classes);
    this.residual = new double[columns];
    this.ofUnits = new UnitFactors(kernel, columns);
  }

  /**
   * Whether the second column of a gradient is the first one with its sign turned, bit for bit: the
   * softmax of two classes is the logistic function of their logits' difference, and its residuals
   * add up to 0.
   */
  static boolean isMirrored(Loss loss, int classes) {
    return loss.unweighted() instanceof SoftmaxLoss && classes == 2;
  }

  /** How many columns are computed; a mirrored one is not. */
  static int columns(Loss loss, int classes) {
    return isMirrored(loss, classes) ? 1 : loss.columns(classes);
  }

  /**
   * Residuals from logits, in place.
   *
   * @param z logits of one block and trial at {@code from}, {@code [columns, ROWS]}, of the rows as
   *     they are stored; the first less the second where these are mirrored
   */
  void ofLogits(float[] z, int from, int block) {
    int first = block * ROWS;
    if (mirrored) {
      logistic(z, from, first, 1);
    } else if (loss instanceof SoftmaxLoss) {
      kernel.softmax(z, from, columns, rows.low(), rows.high(), first);
      for (int i = 0; i < ROWS; i++) {
        int label = rows.labels()[first + i];
        if (loss.admits(label, classes)) {
          z[from + label * ROWS + i] -= 1;
        }
      }
    } else if (loss instanceof LogisticLoss) {
      logistic(z, from, first, -1);
    } else {
      otherLoss(z, from, first);
    }
    if (weights != null) {
      weigh(z, from, first, weights);
    }
  }

  /** Before norms are taken, so that what is clipped is the weighted residual as it is stored. */
  private void weigh(float[] z, int from, int first, float[] weights) {
    for (int i = 0; i < ROWS; i++) {
      int label = rows.labels()[first + i];
      factors[i] = loss.admits(label, classes) ? weights[label] : 0;
    }
    kernel.scale(z, from, columns, factors);
  }

  private static float[] floats(ClassWeights weights) {
    float[] floats = new float[weights.factors().size()];
    for (int c = 0; c < floats.length; c++) {
      floats[c] = weights.factors().get(c).floatValue();
    }
    return floats;
  }

  /**
   * What the rows add from their residuals, in place and without a branch on a row's norm: clipped
   * row by row, or where a unit has several the sum of its rows.
   *
   * @param z residuals of one block and trial at {@code from}, {@code [columns, ROWS]}
   */
  void clip(float[] z, int from, int block, ClipNorm clip) {
    double copies = mirrored ? 2 : 1;
    kernel.squares(z, from, columns, squares);
    int first = block * ROWS;
    double[] norms = rows.norms();
    double[] pairs = rows.pairs(block);
    if (pairs == null) {
      kernel.factors(
          squares, copies, norms, scales, first, clip.bound(rows.ofUnits()), 1 / clip.value());
      for (int i = 0; i < ROWS; i++) {
        // At most the greatest float: it is infinite only where the residual is subnormal.
        factors[i] = (float) (squares[i] < Float.MAX_VALUE ? squares[i] : Float.MAX_VALUE);
      }
    } else {
      ofUnits.compute(z, from, squares, copies, norms, scales, first, pairs, clip, factors);
    }
    kernel.scale(z, from, columns, factors);
  }

  /**
   * @param ofSecond the sign of class 1
   */
  private void logistic(float[] z, int from, int first, int ofSecond) {
    int[] labels = rows.labels();
    for (int i = 0; i < ROWS; i++) {
      signs[i] = labels[first + i] == 1 ? ofSecond : -ofSecond;
    }
    kernel.logistic(z, from, signs, rows.low(), rows.high(), first);
  }

  private void otherLoss(float[] z, int from, int first) {
    for (int i = 0; i < ROWS; i++) {
      int label = rows.labels()[first + i];
      if (loss.admits(label, classes)) {
        double scale = scales[first + i];
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

  /**
   * What each row was divided by, a power of two; 0 for a row that adds nothing, whatever its
   * residual.
   */
  static double[] scales(RowLayout rows, Loss loss, int classes) {
    double[] scales = new double[rows.labels().length];
    for (int row = 0; row < scales.length; row++) {
      if (rows.norms()[row] != 0 && loss.admits(rows.labels()[row], classes)) {
        scales[row] = (double) rows.low()[row] * rows.high()[row];
      }
    }
    return scales;
  }
}
