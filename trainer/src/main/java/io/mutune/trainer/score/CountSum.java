package io.mutune.trainer.score;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sum of {@link Counts} over all rows; as private as the rows. Where rows belong to units each
 * cell has the mean of a unit's rows that count, rounded down to a whole multiple of 2^−{@value
 * Counts#UNIT_BITS}: so sums are exact in double for any number of rows that fits in memory.
 */
final class CountSum {
  /** Entries of rows that are held at a time; the rows are gone over again for further ones. */
  private static final int MOST_ENTRIES = 20_000_000;

  /** Of a row that does not count. */
  private static final int NO_CELL = -1;

  private final Counts counts;
  private final LinearModel model;
  private final Rows rows;
  private final long[] sums;
  private final double[] scores;
  private final int[] cells;
  private final int[] values;

  /** Of one cell, then the other: the sum over a unit's rows, 0 between units. */
  private final long[] own;

  private final int[] touched;

  /**
   * @param starts of the blocks, and where the last one ends
   * @param before the blocks before maps, by which rows tell their groups; those of {@code mapped}
   *     where there is one group
   * @param shift from the cells of one group to those of the next
   */
  @SuppressWarnings("ArrayRecordComponent") // large, of one pass, and never compared
  private record Rows(
      RowBlocks mapped, int[] starts, RowBlocks before, Optional<RowGroups> groups, int shift) {
    /** Maps of rows that tell their groups are applied block by block. */
    static Rows of(RowBlocks rows, Optional<RowGroups> groups, int cells) {
      List<RowBlocks.Block> blocks = rows.blocks();
      int[] starts = new int[blocks.size() + 1];
      for (int i = 0; i < blocks.size(); i++) {
        starts[i + 1] = starts[i] + blocks.get(i).rows();
      }
      return new Rows(
          groups.map(by -> rows.mappedAnew(by.maps())).orElse(rows),
          starts,
          rows,
          groups,
          cells / groups.map(RowGroups::count).orElse(1));
    }

    /** Of each block, side by side where that makes no more of them than there are. */
    IntStream indices() {
      IntStream all = IntStream.range(0, starts.length - 1);
      return mapped.inMemory() && groups.isEmpty() ? all.parallel() : all;
    }

    /** A mapped block before its maps, where that is asked for. */
    RowBlocks.Block before(int index, RowBlocks.Block block) {
      return groups.isEmpty() ? block : before.blocks().get(index);
    }

    /** From which on the cells of a row's group stand. */
    int first(RowBlocks.Block told, int row) {
      return groups.map(by -> by.of(told, row) * shift).orElse(0);
    }
  }

  private CountSum(Counts counts, LinearModel model, Rows rows) {
    this.counts = counts;
    this.model = model;
    this.rows = rows;
    this.sums = new long[counts.cells()];
    this.scores = new double[model.columns()];
    this.cells = new int[counts.entries()];
    this.values = new int[counts.entries()];
    this.own = new long[counts.cells()];
    this.touched = new int[RowUnits.MOST_ROWS * counts.entries()];
  }

  /**
   * One number for each cell.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static double[] of(Counts counts, LinearModel model, RowBlocks rows)
      throws UnsuitableRowsException {
    check(counts, model, rows.columns());
    return numbers(sums(counts, model, rows));
  }

  /** The same of rows wherever they are. */
  static double[] of(Counts counts, LinearModel model, PrivateRows rows)
      throws UnsuitableRowsException {
    check(counts, model, rows.columns());
    return numbers(
        rows.elsewhere()
            .map(there -> there.add(part -> sums(counts, model, part)))
            .orElseGet(() -> sums(counts, model, rows.blocks())));
  }

  private static void check(Counts counts, LinearModel model, int columns)
      throws UnsuitableRowsException {
    int features = counts.groups().map(groups -> groups.features(columns)).orElse(columns);
    if (features != model.features()) {
      throw new UnsuitableRowsException(features, model.features());
    }
  }

  private static double[] numbers(long[] sums) {
    return Arrays.stream(sums).mapToDouble(sum -> (double) sum / Counts.UNIT).toArray();
  }

  private static long[] sums(Counts counts, LinearModel model, RowBlocks rows) {
    Rows found = Rows.of(rows, counts.groups(), counts.cells());
    return rows.units()
        .map(units -> ofUnits(counts, model, found, units))
        .orElseGet(() -> ofRows(counts, model, found))
        .sums;
  }

  private static CountSum ofRows(Counts counts, LinearModel model, Rows rows) {
    return rows.indices()
        .collect(() -> new CountSum(counts, model, rows), CountSum::addBlock, CountSum::addAll);
  }

  private static CountSum ofUnits(Counts counts, LinearModel model, Rows rows, RowUnits units) {
    CountSum sum = new CountSum(counts, model, rows);
    int all = rows.starts()[rows.starts().length - 1];
    int together = Math.max(1, MOST_ENTRIES / Math.max(1, all));
    for (int from = 0; from < counts.entries(); from += together) {
      int count = Math.min(together, counts.entries() - from);
      int first = from;
      int[] cells = new int[Math.multiplyExact(all, count)];
      int[] values = new int[cells.length];
      rows.indices()
          .forEach(
              block -> new CountSum(counts, model, rows).fill(block, first, count, cells, values));
      for (int unit = 0; unit < units.count(); unit++) {
        sum.addUnit(units, unit, count, cells, values);
      }
    }
    return sum;
  }

  private void addAll(CountSum other) {
    for (int cell = 0; cell < sums.length; cell++) {
      sums[cell] += other.sums[cell];
    }
  }

  private void addBlock(int index) {
    RowBlocks.Block block = rows.mapped().blocks().get(index);
    RowBlocks.Block before = rows.before(index, block);
    for (int i = 0; i < block.rows(); i++) {
      if (count(block, before, i)) {
        for (int entry = 0; entry < cells.length; entry++) {
          sums[cells[entry]] += values[entry];
        }
      }
    }
  }

  /**
   * Says the cells and values of a row; whether it counts.
   *
   * @param before the block before its maps
   */
  private boolean count(RowBlocks.Block block, RowBlocks.Block before, int i) {
    int label = block.labels()[i];
    if (!counts.counts(label)) {
      return false;
    }
    model.score(block.features(), i * model.features(), scores);
    Arrays.fill(cells, 0);
    Arrays.fill(values, Counts.UNIT);
    counts.count(LogOdds.finite(scores), label, cells, values);
    int first = rows.first(before, i);
    for (int entry = 0; entry < cells.length; entry++) {
      cells[entry] += first;
    }
    return true;
  }

  /** Writes some of the entries of a block's rows. */
  private void fill(int index, int from, int count, int[] intoCells, int[] intoValues) {
    RowBlocks.Block block = rows.mapped().blocks().get(index);
    RowBlocks.Block before = rows.before(index, block);
    for (int i = 0; i < block.rows(); i++) {
      int row = rows.starts()[index] + i;
      boolean counted = count(block, before, i);
      for (int entry = 0; entry < count; entry++) {
        intoCells[row * count + entry] = counted ? cells[from + entry] : NO_CELL;
        intoValues[row * count + entry] = values[from + entry];
      }
    }
  }

  private void addUnit(RowUnits units, int unit, int count, int[] ofCells, int[] ofValues) {
    int counted = 0;
    int last = 0;
    for (int i = 0; i < units.size(unit); i++) {
      int at = units.row(unit, i) * count;
      if (ofCells[at] != NO_CELL) {
        counted++;
        for (int entry = at; entry < at + count; entry++) {
          own[ofCells[entry]] += ofValues[entry];
          touched[last++] = ofCells[entry];
        }
      }
    }
    for (int i = 0; i < last; i++) {
      sums[touched[i]] += own[touched[i]] / counted;
      own[touched[i]] = 0;
    }
  }
}
