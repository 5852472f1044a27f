package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.model.LinearModel;

/**
 * What a model earns on all rows, from 0 to 1 a row; as private as the rows. A class earns 1 if it
 * is right. A real target earns 1 − |prediction − target| / (width of its range), the prediction
 * held within the range, rounded down to a whole multiple of 2^−{@value #UNIT_BITS}: so sums are
 * exact in double for any number of rows that fits in memory, and one row more or other changes
 * them by at most 1.
 */
final class CreditSum {
  static final int UNIT_BITS = 20;
  private static final long UNIT = 1L << UNIT_BITS;

  private CreditSum() {}

  /**
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static double of(LinearModel model, RowBlocks rows) throws UnsuitableRowsException {
    if (rows.columns() != model.features()) {
      throw new UnsuitableRowsException(rows.columns(), model.features());
    }
    boolean real = rows.realTargets();
    long units =
        rows.blocks().parallelStream().mapToLong(block -> ofBlock(model, block, real)).sum();
    return (double) units / UNIT;
  }

  private static long ofBlock(LinearModel model, RowBlocks.Block block, boolean real) {
    long units = 0;
    for (int i = 0; i < block.rows(); i++) {
      int at = i * model.features();
      int label = block.labels()[i];
      if (label == RowBlocks.NO_LABEL) {
        continue;
      }
      if (real) {
        double error =
            Math.abs(model.predictTarget(block.features(), at) - TargetRange.value(label));
        units += (long) Math.floor(UNIT * Math.max(0, 1 - error / 2));
      } else if (model.predict(block.features(), at) == label) {
        units += UNIT;
      }
    }
    return units;
  }
}
