package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import java.util.List;

/**
 * Trials that take turns at one clipped sum, each with a pass over the rows of its own. What the
 * sum holds of the rows is there once.
 */
final class OneByOne implements FusedClippedSum {
  private final List<ClipNorm> clips;
  private final ClippedSum sum;

  OneByOne(ClippedSums engine, PrivateRows rows, Loss loss, int classes, List<ClipNorm> clips) {
    this.clips = List.copyOf(clips);
    this.sum = engine.open(rows, loss, classes, clips.get(0));
  }

  @Override
  public int trials() {
    return clips.size();
  }

  @Override
  public void compute(double[][] weights, double[][] results, boolean[] active) {
    for (int trial = 0; trial < clips.size(); trial++) {
      if (active[trial]) {
        sum.compute(weights[trial], clips.get(trial), RowSample.ALL, results[trial]);
      }
    }
  }

  @Override
  public void compute(
      double[][] weights,
      ClipNorm[] at,
      RowSample[] samples,
      double[][] results,
      boolean[] active) {
    for (int trial = 0; trial < clips.size(); trial++) {
      if (active[trial]) {
        sum.compute(weights[trial], at[trial], samples[trial], results[trial]);
      }
    }
  }

  @Override
  public void close() {
    sum.close();
  }
}
