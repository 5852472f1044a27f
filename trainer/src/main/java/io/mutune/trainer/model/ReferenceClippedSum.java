package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;
import java.util.Arrays;

/** Row by row in double, as the formula reads. */
final class ReferenceClippedSum implements ClippedSum {
  private final RowBlocks rows;
  private final ClippedResidual clipped;
  private final double[] residual;

  ReferenceClippedSum(RowBlocks rows, int columns, ClippedResidual clipped) {
    this.rows = rows;
    this.clipped = clipped;
    this.residual = new double[columns];
  }

  @Override
  public void compute(double[] weights, double[] sum) {
    compute(weights, clipped.clip(), RowSample.ALL, sum);
  }

  @Override
  public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
    ClippedResidual atClip = clipped.at(clip);
    Arrays.fill(sum, 0);
    int features = rows.columns();
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        if (sample.takesNext()) {
          addRow(block.features(), i * features, block.labels()[i], weights, atClip, sum);
        }
      }
    }
  }

  private void addRow(
      float[] rows,
      int offset,
      int label,
      double[] weights,
      ClippedResidual clipped,
      double[] sum) {
    double norm = RowNorm.of(rows, offset, this.rows.columns());
    if (!Double.isFinite(norm)) {
      return;
    }
    Logits.compute(rows, offset, weights, residual);
    clipped.ofLogits(residual, label, norm);
    for (int j = offset, w = 0; w < sum.length; j++) {
      double x = rows[j];
      for (int c = 0; c < residual.length; c++, w++) {
        sum[w] += x * residual[c];
      }
    }
  }

  @Override
  public void close() {}
}
