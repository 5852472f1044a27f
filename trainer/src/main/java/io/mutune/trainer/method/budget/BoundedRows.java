package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of norm at most 1: longer ones are shortened, each by itself, so that a method whose
 * guarantee needs bounded rows need not believe that they are. Rows that are not finite stay so,
 * and add nothing wherever they are summed.
 */
final class BoundedRows {
  /** Keeps rounding to float32 within the bound. */
  private static final double WITHIN = 1 - 1e-6;

  private BoundedRows() {}

  static PrivateRows of(PrivateRows rows) {
    return new PrivateRows(of(rows.blocks()));
  }

  static RowBlocks of(RowBlocks rows) {
    int columns = rows.columns();
    List<RowBlocks.Block> bounded = new ArrayList<>();
    for (RowBlocks.Block block : rows.blocks()) {
      float[] values = block.features().clone();
      for (int i = 0; i < block.rows(); i++) {
        shorten(values, i * columns, columns);
      }
      bounded.add(new RowBlocks.Block(values, block.labels()));
    }
    return new RowBlocks(columns, bounded, rows.realTargets());
  }

  private static void shorten(float[] values, int offset, int columns) {
    double squares = 0;
    for (int j = offset; j < offset + columns; j++) {
      squares += (double) values[j] * values[j];
    }
    double norm = Math.sqrt(squares);
    if (norm > WITHIN && Double.isFinite(norm)) {
      for (int j = offset; j < offset + columns; j++) {
        values[j] = (float) (values[j] / norm * WITHIN);
      }
    }
  }
}
