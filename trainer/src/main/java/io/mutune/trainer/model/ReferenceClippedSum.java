package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;

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
    int features = rows.columns();
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        if (sample.takesNext()) {
          addRow(block.features(), i * features, block.labels()[i], weights, atClip);
        }
      }
    }
    System.arraycopy(total.rounded(), 0, sum, 0, sum.length);
  }

  private void addRow(
      float[] values, int offset, int label, double[] weights, ClippedResidual atClip) {
    double norm = RowNorm.of(values, offset, rows.columns());
    if (!Double.isFinite(norm)) {
      return;
    }
    Logits.compute(values, offset, weights, residual, rest);
    int base = atClip.loss() instanceof SoftmaxLoss ? greatest(residual) : -1;
    double from = base < 0 ? 0 : residual[base];
    double fromRest = base < 0 ? 0 : rest[base];
    for (int c = 0; c < residual.length; c++) {
      residual[c] = (residual[c] - from) + (rest[c] - fromRest);
    }
    atClip.ofLogits(residual, label, norm);
    for (int j = offset, w = 0; w < weights.length; j++) {
      double x = values[j];
      for (int c = 0; c < residual.length; c++, w++) {
        total.add(w, x * residual[c]);
      }
    }
  }

  private static int greatest(double[] values) {
    int best = 0;
    for (int c = 1; c < values.length; c++) {
      best = values[c] > values[best] ? c : best;
    }
    return best;
  }

  @Override
  public void close() {}
}
