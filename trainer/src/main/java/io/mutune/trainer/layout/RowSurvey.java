package io.mutune.trainer.layout;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.noise.RowBuckets;

/**
 * What has to be known of rows before they have places, found in one pass.
 *
 * @param norms of each row in the order of the data set; 0 for one that is not finite
 * @param sizes how many rows each unit has that are not left out
 * @param buckets of each unit, 0 for one without such rows; empty where there is one bucket
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowSurvey(double[] norms, int[] sizes, int[] buckets) {
  static RowSurvey of(RowBlocks rows, RowBuckets buckets) {
    double[] norms = new double[Math.toIntExact(rows.rows())];
    boolean several = buckets.count() > 1;
    int[] bucketOf = new int[several ? norms.length : 0];
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        int from = i * rows.columns();
        double norm = EuclideanNorm.of(block.features(), from, rows.columns());
        norms[row] = norm < Double.POSITIVE_INFINITY ? norm : 0;
        if (norms[row] > 0 && several && !isNamed(rows, row)) {
          bucketOf[row] = buckets.ofNumbers(block.features(), from, rows.columns());
        }
      }
    }
    RowUnits units = units(rows);
    int[] sizes = new int[units.count()];
    int[] bucketOfUnit = new int[several ? sizes.length : 0];
    for (int unit = 0; unit < sizes.length; unit++) {
      for (int i = units.size(unit) - 1; i >= 0; i--) {
        row = units.row(unit, i);
        if (norms[row] > 0) {
          sizes[unit]++;
          if (several) {
            long name = units.name(unit);
            bucketOfUnit[unit] = name == RowUnits.UNNAMED ? bucketOf[row] : buckets.ofName(name);
          }
        }
      }
    }
    return new RowSurvey(norms, sizes, bucketOfUnit);
  }

  /** Whose the rows are: each its own where nothing else is said. */
  static RowUnits units(RowBlocks rows) {
    return rows.units().orElseGet(() -> RowUnits.single(Math.toIntExact(rows.rows())));
  }

  private static boolean isNamed(RowBlocks rows, int row) {
    return rows.units()
        .filter(
            units ->
                units.of(row) == RowUnits.NONE || units.name(units.of(row)) != RowUnits.UNNAMED)
        .isPresent();
  }
}
