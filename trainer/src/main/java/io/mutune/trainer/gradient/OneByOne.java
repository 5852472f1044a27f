package io.mutune.trainer.gradient;

import io.mutune.trainer.layout.RowSample;

/**
 * Trials that take turns at one clipped sum, each with a pass over the rows of its own. What the
 * sum holds of the rows is there once.
 */
record OneByOne(ClippedSum sum) implements FusedClippedSum {
  @Override
  public void compute(
      double[][] weights,
      ClipNorm[] clips,
      RowSample[] samples,
      double[][] results,
      boolean[] active) {
    for (int trial = 0; trial < clips.length; trial++) {
      if (active[trial]) {
        sum.compute(weights[trial], clips[trial], samples[trial], results[trial]);
      }
    }
  }

  @Override
  public void close() {
    sum.close();
  }
}
