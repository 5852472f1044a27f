package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * How many rows of each class a model gets right and how many wrong, two cells a class; or how many
 * it calls of each class, as many cells as there are classes. As private as the rows. A row is 1 in
 * one cell. Where rows belong to units each is 1 over how many count, rounded down to a whole
 * multiple of 2^−{@value CreditSum#UNIT_BITS}, so that a unit's cells are 0 or above and add up to
 * at most 1: their norm is at most 1, and sums are exact. A row whose label is no class is in no
 * cell.
 */
final class ClassCounts {
  private static final int UNIT = 1 << CreditSum.UNIT_BITS;
  private static final int NO_CELL = -1;

  private ClassCounts() {}

  /**
   * {@code [classes, 2]}: right, then wrong.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static double[] of(LinearModel model, RowBlocks rows) throws UnsuitableRowsException {
    return of(model, rows, 2, (label, said) -> said == label ? 0 : 1);
  }

  /**
   * {@code [classes, classes]}: rows by their class, then by what the model says.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static double[] confusion(LinearModel model, RowBlocks rows) throws UnsuitableRowsException {
    return of(model, rows, classes(model), (label, said) -> said);
  }

  /**
   * @param width cells of a class
   * @param cell which of them a row is in, by its class and what the model says
   */
  private static double[] of(LinearModel model, RowBlocks rows, int width, IntBinaryOperator cell)
      throws UnsuitableRowsException {
    if (rows.columns() != model.features()) {
      throw new UnsuitableRowsException(rows.columns(), model.features());
    }
    List<RowBlocks.Block> blocks = rows.blocks();
    int[] cells =
        blocks.parallelStream()
            .flatMapToInt(block -> IntStream.of(cells(model, block, width, cell)))
            .toArray();
    long[] sums = new long[width * classes(model)];
    if (rows.units().isPresent()) {
      addUnits(rows.units().get(), cells, sums);
    } else {
      for (int one : cells) {
        add(one, UNIT, sums);
      }
    }
    double[] counts = new double[sums.length];
    for (int i = 0; i < sums.length; i++) {
      counts[i] = (double) sums[i] / UNIT;
    }
    return counts;
  }

  /** How many classes a model tells apart. */
  static int classes(LinearModel model) {
    return Math.max(2, model.columns());
  }

  private static void addUnits(RowUnits units, int[] cells, long[] sums) {
    for (int unit = 0; unit < units.count(); unit++) {
      int counted = 0;
      for (int i = 0; i < units.size(unit); i++) {
        counted += cells[units.row(unit, i)] == NO_CELL ? 0 : 1;
      }
      for (int i = 0; i < units.size(unit); i++) {
        add(cells[units.row(unit, i)], UNIT / Math.max(1, counted), sums);
      }
    }
  }

  private static void add(int cell, int weight, long[] sums) {
    if (cell != NO_CELL) {
      sums[cell] += weight;
    }
  }

  private static int[] cells(
      LinearModel model, RowBlocks.Block block, int width, IntBinaryOperator cell) {
    int[] cells = new int[block.rows()];
    for (int i = 0; i < cells.length; i++) {
      int label = block.labels()[i];
      if (label < 0 || label >= classes(model)) {
        cells[i] = NO_CELL;
      } else {
        int said = model.predict(block.features(), i * model.features());
        cells[i] = width * label + cell.applyAsInt(label, said);
      }
    }
    return cells;
  }

  /**
   * The mean of the classes' shares of rows that are right, of the classes that have any; in [0,
   * 1].
   *
   * @param cells noisy ones, or exact
   * @param added rows that every class has besides, half of them right; 0 for exact cells
   */
  static double balancedAccuracy(double[] cells, double added) {
    double sum = 0;
    int classes = 0;
    for (int cell = 0; cell < cells.length; cell += 2) {
      double right = Math.max(0, cells[cell]) + added / 2;
      double all = right + Math.max(0, cells[cell + 1]) + added / 2;
      if (all > 0) {
        sum += right / all;
        classes++;
      }
    }
    return classes == 0 ? 0 : sum / classes;
  }
}
