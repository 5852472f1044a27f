package io.mutune.trainer.gradient;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.kernel.DoubleDoubleSum;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Logits;

/**
 * Row by row in double, as the formula reads. Logits lose nothing but their last rounding, those of
 * a softmax as their distances to the greatest, and rows are added up in twice the precision.
 */
final class ReferenceClippedSum implements ClippedSum {
  private final RowBlocks rows;
  private final ClippedResidual clipped;
  private final double[] residual;
  private final double[] rest;
  private final DoubleDoubleSum total;

  ReferenceClippedSum(RowBlocks rows, int columns, ClippedResidual clipped) {
    this.rows = rows;
    this.clipped = clipped;
    this.residual = new double[columns];
    this.rest = new double[columns];
    this.total = new DoubleDoubleSum(Math.multiplyExact(rows.columns(), columns));
  }

  @Override
  public void compute(double[] weights, double[] sum) {
    compute(weights, clipped.clip(), RowSample.ALL, sum);
  }

  @Override
  public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
    ClippedResidual atClip = clipped.at(clip);
    total.clear();
    if (rows.units().isPresent()) {
      addUnits(rows.units().get(), weights, atClip, sample);
    } else {
      addRows(weights, atClip, sample);
    }
    System.arraycopy(total.rounded(), 0, sum, 0, sum.length);
  }

  private void addRows(double[] weights, ClippedResidual atClip, RowSample sample) {
    int features = rows.columns();
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int offset = i * features;
        double norm = EuclideanNorm.of(block.features(), offset, features);
        if (sample.takesNext() && Double.isFinite(norm)) {
          logits(block.features(), offset, weights, atClip.loss());
          atClip.ofLogits(residual, block.labels()[i], norm);
          add(block.features(), offset, total);
        }
      }
    }
  }

  private void addUnits(
      RowUnits units, double[] weights, ClippedResidual atClip, RowSample sample) {
    UnitReader reader = new UnitReader(units);
    for (int unit = 0; unit < units.count(); unit++) {
      if (sample.takesNext()) {
        double factor = reader.factor(unit, weights, atClip);
        for (int w = 0; w < weights.length; w++) {
          total.add(w, factor * reader.gradient[w]);
        }
      }
    }
  }

  /**
   * The norm of what each unit adds, in their order.
   *
   * @param units of these rows
   */
  double[] unitNorms(RowUnits units, double[] weights, ClipNorm clip) {
    UnitReader reader = new UnitReader(units);
    double[] norms = new double[units.count()];
    for (int unit = 0; unit < norms.length; unit++) {
      norms[unit] = reader.factor(unit, weights, clipped.at(clip)) * reader.norm;
    }
    return norms;
  }

  /** Reads one unit after the other. */
  private final class UnitReader {
    private final RowUnits units;
    private final DoubleDoubleSum own;
    private final int[] firstRows = firstRows();
    private int first;
    private RowBlocks.Block block = new RowBlocks.Block(new float[0], new int[0]);

    /** The sum of the last unit's gradients, and its norm. */
    private double[] gradient = {};

    private double norm;

    UnitReader(RowUnits units) {
      this.units = units;
      this.own = new DoubleDoubleSum(rows.columns() * residual.length);
    }

    /** What {@link ClipNorm#unitFactor} makes of the sum of a unit's gradients. */
    double factor(int unit, double[] weights, ClippedResidual atClip) {
      int features = rows.columns();
      own.clear();
      double ofRows = 0;
      for (int i = 0; i < units.size(unit); i++) {
        int within = open(units.row(unit, i));
        double length = EuclideanNorm.of(block.features(), within * features, features);
        if (Double.isFinite(length)) {
          logits(block.features(), within * features, weights, atClip.loss());
          length *= atClip.unclipped(residual, block.labels()[within]);
          if (Double.isFinite(length)) {
            ofRows += length;
            add(block.features(), within * features, own);
          }
        }
      }
      gradient = own.rounded();
      norm = EuclideanNorm.of(gradient);
      return atClip.clip().unitFactor(norm, ofRows);
    }

    /** Where in its block a row stands, which is opened. */
    private int open(int row) {
      if (row < first || row >= first + block.rows()) {
        int opened = blockOf(firstRows, row);
        first = firstRows[opened];
        block = rows.blocks().get(opened);
      }
      return row - first;
    }
  }

  private int[] firstRows() {
    int[] firsts = new int[rows.blocks().size()];
    int next = 0;
    for (int b = 0; b < firsts.length; b++) {
      firsts[b] = next;
      next += rows.blocks().get(b).rows();
    }
    return firsts;
  }

  /**
   * The last block that starts at the row or before it; an empty one starts where the next does.
   */
  private static int blockOf(int[] firstRows, int row) {
    int block = firstRows.length - 1;
    while (firstRows[block] > row) {
      block--;
    }
    return block;
  }

  private void logits(float[] values, int offset, double[] weights, Loss loss) {
    Logits.compute(values, offset, weights, residual, rest);
    int base = loss.unweighted() instanceof SoftmaxLoss ? LinearModel.classOf(residual) : -1;
    double from = base < 0 ? 0 : residual[base];
    double fromRest = base < 0 ? 0 : rest[base];
    for (int c = 0; c < residual.length; c++) {
      residual[c] = (residual[c] - from) + (rest[c] - fromRest);
    }
  }

  private void add(float[] values, int offset, DoubleDoubleSum to) {
    for (int j = 0, w = 0; j < rows.columns(); j++) {
      double x = values[offset + j];
      for (int c = 0; c < residual.length; c++, w++) {
        to.add(w, x * residual[c]);
      }
    }
  }

  @Override
  public void close() {}
}
