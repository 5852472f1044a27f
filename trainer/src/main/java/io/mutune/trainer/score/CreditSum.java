package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a model earns on all rows, from 0 to 1 a row; as private as the rows. Where rows belong to
 * units, a unit earns the mean of its rows, rounded down like a row's share below. A class earns 1
 * if it is right. A real target earns 1 − |prediction − target| / (width of its range), the
 * prediction held within the range, rounded down to a whole multiple of 2^−{@value #UNIT_BITS}: so
 * sums are exact in double for any number of rows that fits in memory, and one unit more or other
 * changes them by at most 1.
 */
final class CreditSum {
  static final int UNIT_BITS = 20;
  private static final int UNIT = 1 << UNIT_BITS;

  /** In place of the credit of a slot without a row. */
  private static final int NO_ROW = -1;

  private CreditSum() {}

  /**
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static double of(LinearModel model, RowBlocks rows) throws UnsuitableRowsException {
    if (rows.columns() != model.features()) {
      throw new UnsuitableRowsException(rows.columns(), model.features());
    }
    List<RowBlocks.Block> blocks = rows.blocks();
    boolean real = rows.realTargets();
    long units =
        rows.units().isPresent()
            ? ofUnits(rows.units().get(), credits(model, blocks, real))
            : blocks.parallelStream().mapToLong(block -> sum(credits(model, block, real))).sum();
    return (double) units / UNIT;
  }

  private static int[] credits(LinearModel model, List<RowBlocks.Block> blocks, boolean real) {
    return blocks.parallelStream()
        .flatMapToInt(b -> IntStream.of(credits(model, b, real)))
        .toArray();
  }

  private static long sum(int[] credits) {
    long sum = 0;
    for (int credit : credits) {
      sum += Math.max(0, credit);
    }
    return sum;
  }

  private static long ofUnits(RowUnits units, int[] credits) {
    long sum = 0;
    for (int unit = 0; unit < units.count(); unit++) {
      long own = 0;
      int counted = 0;
      for (int i = 0; i < units.size(unit); i++) {
        int credit = credits[units.row(unit, i)];
        if (credit != NO_ROW) {
          own += credit;
          counted++;
        }
      }
      sum += counted == 0 ? 0 : own / counted;
    }
    return sum;
  }

  /** Of each row, in multiples of {@link #UNIT}, or {@link #NO_ROW}. */
  private static int[] credits(LinearModel model, RowBlocks.Block block, boolean real) {
    int[] credits = new int[block.rows()];
    for (int i = 0; i < credits.length; i++) {
      int at = i * model.features();
      int label = block.labels()[i];
      if (label == RowBlocks.NO_LABEL) {
        credits[i] = NO_ROW;
      } else if (real) {
        double error =
            Math.abs(model.predictTarget(block.features(), at) - TargetRange.value(label));
        credits[i] = (int) Math.floor(UNIT * Math.max(0, 1 - error / 2));
      } else if (model.predict(block.features(), at) == label) {
        credits[i] = UNIT;
      }
    }
    return credits;
  }
}
