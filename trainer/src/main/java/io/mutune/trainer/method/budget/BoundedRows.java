package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.EuclideanNorm;
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

  /** Made anew at each pass, so that no copy of all rows is in memory. */
  static PrivateRows of(PrivateRows rows) {
    int columns = rows.columns();
    return new PrivateRows(
        rows.blocks().withoutUnits().withFeatures(values -> shortened(values, columns)));
  }

  /** Made once. */
  static PublicRows of(PublicRows rows) {
    int columns = rows.blocks().columns();
    List<RowBlocks.Block> bounded = new ArrayList<>();
    for (RowBlocks.Block block : rows.blocks().blocks()) {
      bounded.add(new RowBlocks.Block(shortened(block.features(), columns), block.labels()));
    }
    return new PublicRows(new RowBlocks(columns, bounded, rows.blocks().realTargets()));
  }

  private static float[] shortened(float[] features, int columns) {
    float[] values = features.clone();
    for (int from = 0; from < values.length; from += columns) {
      shorten(values, from, columns);
    }
    return values;
  }

  private static void shorten(float[] values, int offset, int columns) {
    double norm = EuclideanNorm.of(values, offset, columns);
    if (norm > WITHIN && Double.isFinite(norm)) {
      for (int j = offset; j < offset + columns; j++) {
        values[j] = (float) (values[j] / norm * WITHIN);
      }
    }
  }
}
