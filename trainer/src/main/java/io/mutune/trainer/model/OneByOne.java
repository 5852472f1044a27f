package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import java.util.ArrayList;
import java.util.List;

/** Trials that share nothing: each has a clipped sum of its own. */
final class OneByOne implements FusedClippedSum {
  private final List<ClippedSum> sums = new ArrayList<>();

  OneByOne(ClippedSums engine, PrivateRows rows, Loss loss, int classes, List<ClipNorm> clips) {
    for (ClipNorm clip : clips) {
      sums.add(engine.open(rows, loss, classes, clip));
    }
  }

  @Override
  public int trials() {
    return sums.size();
  }

  @Override
  public void compute(double[][] weights, double[][] results, boolean[] active) {
    for (int trial = 0; trial < sums.size(); trial++) {
      if (active[trial]) {
        sums.get(trial).compute(weights[trial], results[trial]);
      }
    }
  }

  @Override
  public void compute(
      double[][] weights,
      ClipNorm[] clips,
      RowSample[] samples,
      double[][] results,
      boolean[] active) {
    for (int trial = 0; trial < sums.size(); trial++) {
      if (active[trial]) {
        sums.get(trial).compute(weights[trial], clips[trial], samples[trial], results[trial]);
      }
    }
  }

  @Override
  public void close() {
    sums.forEach(ClippedSum::close);
  }
}
