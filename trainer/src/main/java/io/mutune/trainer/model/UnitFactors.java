package io.mutune.trainer.model;

import io.mutune.trainer.kernel.BlockKernel;
import java.util.Arrays;

/**
 * What the residuals of units of several rows are multiplied by, for one block: {@link
 * ClipNorm#unitFactor}, the row's power of two and 1/C. All in double, each unit from its own rows
 * alone. Working memory of one thread.
 */
final class UnitFactors {
  private static final int ROWS = BlockKernel.ROWS;

  private final int columns;
  private final double[] scaled;
  private final double[] scale = new double[ROWS];
  private final double[] lengths = new double[ROWS];
  private final double[] products = new double[ROWS];
  private final double[] squares = new double[ROWS];

  UnitFactors(int columns) {
    this.columns = columns;
    this.scaled = new double[columns * ROWS];
  }

  /**
   * @param z residuals of one block at {@code from}, {@code [columns, ROWS]}
   * @param ofResiduals the square of each row's residual
   * @param copies how often the columns stand for others like them
   * @param norms ‖x‖, of the block's first row at {@code row}
   * @param scales what each row was divided by; 0 for one that adds nothing
   * @param pairs of the block, as {@link RowPairs} has them
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
      double length = norms[row + i] * Math.sqrt(copies * ofResiduals[i]);
      boolean adds = scales[row + i] != 0 && length < Double.POSITIVE_INFINITY;
      scale[i] = adds ? scales[row + i] : 0;
      lengths[i] = adds ? length : 0;
    }
    for (int c = 0, at = 0; c < columns; c++) {
      for (int i = 0; i < ROWS; i++, at++) {
        scaled[at] = scale[i] == 0 ? 0 : scale[i] * z[from + at];
      }
    }
    int size = pairs.length / ROWS;
    Arrays.fill(squares, 0);
    for (int lag = 0; lag < size; lag++) {
      addProducts(lag, pairs);
    }
    Arrays.fill(factors, 0);
    for (int first = 0; first + size <= ROWS; first += size) {
      ofUnit(first, size, copies, clip, factors);
    }
  }

  /** Slots of two units have a product here too, of finite numbers, which counts 0 times. */
  private void addProducts(int lag, double[] pairs) {
    int end = ROWS - lag;
    Arrays.fill(products, 0);
    for (int c = 0, at = 0; c < columns; c++, at += ROWS) {
      for (int i = 0; i < end; i++) {
        products[i] += scaled[at + i] * scaled[at + lag + i];
      }
    }
    for (int i = 0, at = lag * ROWS; i < end; i++, at++) {
      squares[i] += pairs[at] * products[i];
    }
  }

  private void ofUnit(int first, int size, double copies, ClipNorm clip, float[] factors) {
    double square = 0;
    double ofRows = 0;
    double greatest = 0;
    for (int i = first; i < first + size; i++) {
      square += squares[i];
      ofRows += lengths[i];
      greatest = Math.max(greatest, scale[i]);
    }
    double factor = clip.unitFactor(Math.sqrt(Math.max(0, copies * square)), ofRows) / clip.value();
    // For all rows alike, or those that cancel would not. It happens where a residual is subnormal.
    factor = Math.min(factor, Float.MAX_VALUE / greatest);
    for (int i = first; i < first + size; i++) {
      factors[i] = scale[i] == 0 ? 0 : (float) (factor * scale[i]);
    }
  }
}
