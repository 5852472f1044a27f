package io.mutune.trainer.layout;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.data.RowUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A part of a data set as a data set of its own, for a whole run on one secret sample. */
public final class SampledRows {
  private SampledRows() {}

  /**
   * Copies of the rows of the units that the sample takes, in their order. Which these are, and how
   * many, is as secret as the rows: a unit that is not taken leaves no trace, so that without it
   * the sample is the same to the last bit.
   */
  public static PrivateRows of(PrivateRows rows, RowSample sample) {
    RowBlocks all = rows.blocks();
    int columns = all.columns();
    int[] units = taken(RowSurvey.units(all), sample);
    long left = Arrays.stream(units).filter(unit -> unit != RowUnits.NONE).count();
    List<Block> taken = new ArrayList<>();
    int count = 0;
    int at = 0;
    for (Block block : all.blocks()) {
      for (int row = 0; row < block.rows(); row++, at++) {
        if (units[at] == RowUnits.NONE) {
          continue;
        }
        if (count == 0) {
          // No larger than the rows that follow, for which memory was checked.
          int most = (int) Math.min(left, RowBlocks.BLOCK_ROWS);
          taken.add(new Block(new float[most * columns], new int[most]));
        }
        Block last = taken.get(taken.size() - 1);
        System.arraycopy(
            block.features(), row * columns, last.features(), count * columns, columns);
        last.labels()[count++] = block.labels()[row];
        left--;
        count = count == last.rows() ? 0 : count;
      }
    }
    RowBlocks chosen = new RowBlocks(columns, taken, all.realTargets());
    Optional<RowUnits> of =
        all.units()
            .map(any -> Arrays.stream(units).filter(unit -> unit != RowUnits.NONE).toArray())
            .map(RowUnits::of);
    return new PrivateRows(of.map(chosen::withUnits).orElse(chosen));
  }

  /** Of each row the number of its unit among those that are taken. */
  private static int[] taken(RowUnits units, RowSample sample) {
    int[] numbers = new int[units.rows()];
    Arrays.fill(numbers, RowUnits.NONE);
    int count = 0;
    for (int unit = 0; unit < units.count(); unit++) {
      if (sample.takesNext()) {
        for (int i = 0; i < units.size(unit); i++) {
          numbers[units.row(unit, i)] = count;
        }
        count++;
      }
    }
    return numbers;
  }
}
