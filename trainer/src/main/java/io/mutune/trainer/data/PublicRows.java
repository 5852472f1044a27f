package io.mutune.trainer.data;

import java.util.List;

/** Rows that the sweep's author declares public: whatever is computed from them may be shown. */
public record PublicRows(RowBlocks blocks) {
  /** No rows, for what may do without. */
  public static PublicRows none() {
    return new PublicRows(new RowBlocks(1, List.of()));
  }

  /** The mean of each feature. */
  public double[] mean() {
    double[] mean = new double[blocks.columns()];
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows() * mean.length; i++) {
        mean[i % mean.length] += block.features()[i] / (double) count();
      }
    }
    return mean;
  }

  /** How many there are; public as they are. */
  public long count() {
    return blocks.rows();
  }
}
