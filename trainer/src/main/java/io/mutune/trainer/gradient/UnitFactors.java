package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.RowLayout;
import java.util.Arrays;

/**
 * What the residuals of units of several rows are multiplied by, for one block: {@link
 * ClipNorm#unitFactor}, the row's power of two and 1/C. All in double, each unit from its own rows
 * alone. Working memory of one thread.
 */
final class UnitFactors {
  private static final int ROWS = BlockKernel.ROWS;

  private final BlockKernel kernel;
  private final int columns;
  private final double[] scaled;
  private final double[] scale = new double[ROWS];
  private final double[] lengths = new double[ROWS];
  private final double[] squares = new double[ROWS];

  UnitFactors(BlockKernel kernel, int columns) {
    this.kernel = kernel;
    this.columns = columns;
    this.scaled = new double[(columns + 1) * ROWS];
  }

  /**
   * @param z residuals of one block at {@code from}, {@code [columns, ROWS]}
   * @param ofResiduals the square of each row's residual
   * @param copies how often the columns stand for others like them
   * @param norms ‖x‖, of the block's first row at {@code row}
   * @param scales what each row was divided by; 0 for one that adds nothing
   * @param pairs of the block, as {@link RowLayout#pairs} has them
   * @param factors overwritten
   */
  void compute(
      float[] z,
      int from,
      double[] ofResiduals,
      double copies,
      double[] norms,
      double[] scales,
      int row,
      double[] pairs,
      ClipNorm clip,
      float[] factors) {
    for (int i = 0; i < ROWS; i++) {
      lengths[i] = norms[row + i] * Math.sqrt(copies * ofResiduals[i]);
    }
    for (int i = 0; i < ROWS; i++) {
      boolean adds = scales[row + i] != 0 && lengths[i] < Double.POSITIVE_INFINITY;
      scale[i] = adds ? scales[row + i] : 0;
      lengths[i] = adds ? lengths[i] : 0;
    }
    kernel.unscale(z, from, columns, scale, scaled);
    // Slots of two units have a product too, of finite numbers, which counts 0 times.
    kernel.squaresOfSums(scaled, columns, pairs, squares);
    int size = pairs.length / ROWS;
    Arrays.fill(factors, 0);
    for (int first = 0; first + size <= ROWS; first += size) {
      ofUnit(first, size, copies, clip, factors);
    }
  }

  private void ofUnit(int first, int size, double copies, ClipNorm clip, float[] factors) {
    double square = 0;
    double ofRows = 0;
    double greatest = 0;
    for (int i = first; i < first + size; i++) {
      square += squares[i];
      ofRows += lengths[i];
      greatest = scale[i] > greatest ? scale[i] : greatest;
    }
    double factor = clip.unitFactor(Math.sqrt(Math.max(0, copies * square)), ofRows) / clip.value();
    // For all rows alike, or those that cancel would not. It happens where a residual is subnormal.
    factor = Math.min(factor, Float.MAX_VALUE / greatest);
    for (int i = first; i < first + size; i++) {
      factors[i] = scale[i] == 0 ? 0 : (float) (factor * scale[i]);
    }
  }
}
