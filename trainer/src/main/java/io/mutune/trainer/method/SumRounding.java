package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;

/**
 * That a method's sums are rounded to a grid before their noise ({@link
 * io.mutune.trainer.noise.GridNoise}), and by how much that lets neighbours differ. The charge is
 * made before a row is read, so the sums' shape has to be known by then.
 *
 * @param features of a row, at least 1
 * @param columns of the model, at least 1
 */
public record SumRounding(Grid grid, int features, int columns) {
  public SumRounding {
    Require.that(features >= 1, "number of features", features);
    Require.that(columns >= 1, "number of columns", columns);
  }

  /** Of a sum over all rows, in units of C, rounded up: {@link Grid#sensitivity}. */
  public double sensitivity(Adjacency adjacency, ClipNorm clipNorm) {
    return grid.sensitivity(adjacency, clipNorm.value(), coordinates());
  }

  /** Of a sum over a Poisson sample likewise: {@link Grid#sampledSensitivity}. */
  public double sampledSensitivity(Adjacency adjacency, ClipNorm clipNorm) {
    return grid.sampledSensitivity(adjacency, clipNorm.value(), coordinates());
  }

  private long coordinates() {
    return (long) features * columns;
  }

  /** The grid that {@link Training#grid} says of a run whose sums may be rounded. */
  public static Optional<Grid> grid(Optional<SumRounding> rounding) {
    return rounding.map(SumRounding::grid);
  }

  /**
   * Looks at the model's number of columns, before the charge.
   *
   * @throws IllegalArgumentException if sums would have another number of columns
   */
  public static void checkColumns(Optional<SumRounding> rounding, int columns) {
    rounding.ifPresent(
        sums ->
            Require.that(
                sums.columns() == columns, "number of columns that is rounded", sums.columns()));
  }

  /**
   * Looks at the rows' number of features, which is public.
   *
   * @throws IllegalArgumentException if sums would be of another shape than is charged
   */
  public static void checkFeatures(Optional<SumRounding> rounding, PrivateRows rows) {
    rounding.ifPresent(sums -> StartWeights.checkFeatures(rows.columns(), sums.features()));
  }
}
