package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.DoubleDoubleSum;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.Logits;
import java.util.function.ToDoubleFunction;

/**
 * Sums over rows of a number made of each row's losses and clipped: private until noise is added.
 * Row by row in double, added up in twice its precision ({@link DoubleDoubleSum}): sums of
 * neighbours differ by what the one row adds, however many rows there are, but for one rounding of
 * each. What a row adds depends on that row and the weights alone; a row whose number is not
 * finite, or whose label is no class, adds nothing. Belongs to one thread at a time.
 */
public final class ClippedLosses {
  private final RowBlocks rows;
  private final Loss loss;
  private final int classes;
  private final double[] logits;
  private final DoubleDoubleSum total = new DoubleDoubleSum(1);

  /**
   * @throws IllegalArgumentException if {@code loss} is not made for so many classes
   */
  public ClippedLosses(PrivateRows rows, Loss loss, int classes) {
    this.rows = rows.blocks();
    this.loss = loss;
    this.classes = classes;
    this.logits = new double[loss.columns(classes)];
  }

  /**
   * Σ min(ℓ(w), B), each below B by the margin that {@link ClipNorm} leaves for rounding.
   *
   * @param weights {@code [features, columns]}, row-major
   * @param bound B, above 0
   */
  public double sum(double[] weights, double bound) {
    double most = bound * (1 - ClipNorm.MARGIN);
    return sum(row -> Math.min(most, row.loss(weights)));
  }

  /**
   * Σ clip((ℓ(w₊) − ℓ(w₋))/h) with every row's part held in [−C, C], less the margin of {@link
   * #sum}.
   *
   * @param plus w₊
   * @param minus w₋
   * @param width h, above 0
   */
  public double slopes(double[] plus, double[] minus, double width, ClipNorm clip) {
    double most = clip.value() * (1 - ClipNorm.MARGIN);
    return sum(
        row -> {
          double slope = (row.loss(plus) - row.loss(minus)) / width;
          return Double.isFinite(slope) ? Math.max(-most, Math.min(most, slope)) : 0;
        });
  }

  private double sum(ToDoubleFunction<Row> part) {
    Row row = new Row();
    total.clear();
    for (RowBlocks.Block block : rows.blocks()) {
      row.values = block.features();
      for (int i = 0; i < block.rows(); i++) {
        row.offset = i * rows.columns();
        row.label = block.labels()[i];
        if (loss.admits(row.label, classes)) {
          double value = part.applyAsDouble(row);
          total.add(0, Double.isFinite(value) ? value : 0);
        }
      }
    }
    return total.rounded()[0];
  }

  /** Where the sum stands. */
  private final class Row {
    private float[] values = {};
    private int offset;
    private int label;

    double loss(double[] weights) {
      Logits.compute(values, offset, weights, logits);
      return loss.value(logits, label);
    }
  }
}
