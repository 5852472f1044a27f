package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowBlocks.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A part of a data set as a data set of its own, for a whole run on one secret sample. */
public final class SampledRows {
  private SampledRows() {}

  /**
   * Copies of the rows that the sample takes, in their order. Which these are, and how many, is as
   * secret as the rows: a row that is not taken leaves no trace, so that without it the sample is
   * the same to the last bit.
   */
  public static PrivateRows of(PrivateRows rows, RowSample sample) {
    RowBlocks all = rows.blocks();
    int columns = all.columns();
    List<Block> taken = new ArrayList<>();
    float[] features = new float[RowBlocks.BLOCK_ROWS * columns];
    int[] labels = new int[RowBlocks.BLOCK_ROWS];
    int count = 0;
    for (Block block : all.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        if (!sample.takesNext()) {
          continue;
        }
        System.arraycopy(block.features(), row * columns, features, count * columns, columns);
        labels[count++] = block.labels()[row];
        if (count == labels.length) {
          taken.add(block(features, labels, count, columns));
          count = 0;
        }
      }
    }
    if (count > 0) {
      taken.add(block(features, labels, count, columns));
    }
    return new PrivateRows(new RowBlocks(columns, taken, all.realTargets()));
  }

  private static Block block(float[] features, int[] labels, int rows, int columns) {
    return new Block(Arrays.copyOf(features, rows * columns), Arrays.copyOf(labels, rows));
  }
}
