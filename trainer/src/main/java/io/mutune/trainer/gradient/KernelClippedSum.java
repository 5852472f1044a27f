package io.mutune.trainer.gradient;

import io.mutune.trainer.gradient.PartSums.Asked;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.PoissonSample;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.noise.RowOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Clipped sums of any number of trials in one pass over the rows, in blocks ({@link BlockSums}).
 *
 * <p>As the blocks' sums are added up exactly (docs/soundness.md), the result depends on the order
 * of the rows, and neither on which thread or machine took which block nor on how many of them or
 * of trials there are. A step over all rows in this process allocates nothing.
 */
final class KernelClippedSum implements FusedClippedSum {
  private final RowLayout rows;
  private final RowOrders orders;
  private final Loss loss;
  private final int classes;
  private final boolean mirrored;
  private final int columns;
  private final int weightColumns;
  private final int trials;
  private final BlockKernel kernel;
  private final Lock turn;
  private final Cluster.@Nullable Rows held;
  private final boolean rowsAreHere;
  private final double gridStep;
  private final WorkerThreads pool;
  private final StepSums blocks;

  /** By how many trials are active; each sees the arrays as they are when it is asked. */
  private final Step[] steps;

  private final float[] packed;
  private final ClipNorm[] activeClips;
  private final boolean[] onAllRows;

  /**
   * @param orders of the rows of a sample
   * @param pool of the threads that add up
   * @param turn held during a step, so that sums of several threads do not share the processors
   * @param held the rows on a cluster, for sums over all of them, and over samples where they are
   *     nowhere else; null to add them up here
   * @param rowsAreHere whether the layout has them too
   */
  KernelClippedSum(
      RowLayout rows,
      RowOrders orders,
      Loss loss,
      int classes,
      List<ClipNorm> clips,
      BlockKernel kernel,
      WorkerThreads pool,
      Lock turn,
      Cluster.@Nullable Rows held,
      boolean rowsAreHere) {
    this.rows = rows;
    this.orders = orders;
    this.loss = loss;
    this.classes = classes;
    mirrored = KernelResiduals.isMirrored(loss, classes);
    columns = KernelResiduals.columns(loss, classes);
    weightColumns = loss.columns(classes);
    this.trials = clips.size();
    this.kernel = kernel;
    this.turn = turn;
    this.held = held;
    this.rowsAreHere = rowsAreHere;
    this.pool = pool;
    int length = Math.multiplyExact(Math.multiplyExact(columns, clips.size()), rows.width());
    gridStep = BlockSums.gridStep((double) rows.features() * weightColumns);
    packed = new float[BlockKernel.LINE_START + length];
    activeClips = clips.toArray(ClipNorm[]::new);
    onAllRows = new boolean[trials];
    steps = new Step[trials + 1];
    Arrays.setAll(steps, t -> new Step(loss, classes, t * columns, activeClips, packed));
    blocks =
        held == null
            ? new ThreadSums(rows, kernel, steps[trials], pool)
            : step -> held.add(new PartSums(List.of(new Asked(step, null))));
  }

  @Override
  public void compute(
      double[][] weights,
      ClipNorm[] clips,
      RowSample[] samples,
      double[][] sums,
      boolean[] active) {
    turn.lock();
    try {
      boolean any = false;
      for (int t = 0; t < trials; t++) {
        onAllRows[t] = active[t] && samples[t] == RowSample.ALL;
        any |= onAllRows[t];
      }
      if (any) {
        computeTogether(weights, clips, sums, onAllRows);
      }
      if (held != null && !rowsAreHere) {
        computeSampledElsewhere(weights, clips, samples, sums, active);
        return;
      }
      for (int t = 0; t < trials; t++) {
        if (active[t] && !onAllRows[t]) {
          computeSampled(weights[t], clips[t], samples[t], sums[t]);
        }
      }
    } finally {
      turn.unlock();
    }
  }

  private void computeTogether(
      double[][] weights, ClipNorm[] clips, double[][] sums, boolean[] active) {
    Step step = steps[pack(weights, clips, active)];
    unpack(blocks.add(step), step.columns(), clips, sums, active);
  }

  /**
   * A sample is a data set of its own, in an order drawn for this sum: a row that is not in it must
   * leave nothing behind, not even in which rows share a block, as amplification takes it to
   * (docs/soundness.md).
   */
  private void computeSampled(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
    RowLayout layout = rows.sampled(sample, orders);
    KernelClippedSum alone =
        new KernelClippedSum(
            layout, orders, loss, classes, List.of(clip), kernel, pool, turn, null, true);
    alone.computeTogether(
        new double[][] {weights},
        new ClipNorm[] {clip},
        new double[][] {sum},
        new boolean[] {true});
  }

  /** All samples of the step in one question, each drawn where its rows are. */
  private void computeSampledElsewhere(
      double[][] weights,
      ClipNorm[] clips,
      RowSample[] samples,
      double[][] sums,
      boolean[] active) {
    List<Asked> asked = new ArrayList<>();
    for (int t = 0; t < trials; t++) {
      if (active[t] && !onAllRows[t]) {
        if (!(samples[t] instanceof PoissonSample sample)) {
          throw new IllegalStateException("machines draw Poisson samples alone");
        }
        pack(weights, clips, only(t));
        float[] alone = Arrays.copyOf(packed, BlockKernel.LINE_START + columns * rows.width());
        Step step = new Step(loss, classes, columns, new ClipNorm[] {clips[t]}, alone);
        asked.add(new Asked(step, sample.byBucket()));
      }
    }
    if (asked.isEmpty()) {
      return;
    }
    long[] all = Objects.requireNonNull(held).add(new PartSums(asked));
    int length = all.length / asked.size();
    int from = 0;
    for (int t = 0; t < trials; t++) {
      if (active[t] && !onAllRows[t]) {
        unpack(Arrays.copyOfRange(all, from, from + length), columns, clips, sums, only(t));
        from += length;
      }
    }
  }

  private boolean[] only(int trial) {
    boolean[] only = new boolean[trials];
    only[trial] = true;
    return only;
  }

  /**
   * The active trials' weights in float32, {@code [trials, columns, width]}; of mirrored columns
   * the first less the second.
   */
  private int pack(double[][] weights, ClipNorm[] clips, boolean[] active) {
    int packedTrials = 0;
    for (int t = 0; t < active.length; t++) {
      if (!active[t]) {
        continue;
      }
      int from = BlockKernel.LINE_START + packedTrials * columns * rows.width();
      double[] w = weights[t];
      for (int c = 0; c < columns; c++, from += rows.width()) {
        for (int j = 0, at = c; j < rows.features(); j++, at += weightColumns) {
          packed[from + j] = (float) (mirrored ? w[at] - w[at + 1] : w[at]);
        }
      }
      activeClips[packedTrials] = clips[t];
      packedTrials++;
    }
    return packedTrials;
  }

  private void unpack(
      long[] all, int activeColumns, ClipNorm[] clips, double[][] sums, boolean[] active) {
    int first = 0;
    for (int t = 0; t < active.length; t++) {
      if (active[t]) {
        for (int c = 0; c < columns; c++) {
          unpack(all, activeColumns, first + c, clips[t].value(), sums[t], c);
        }
        first += columns;
      }
    }
  }

  private void unpack(long[] all, int activeColumns, int column, double clip, double[] sum, int c) {
    int part = kernel.partOfSums();
    for (int j = 0, to = c; j < rows.features(); j++, to += weightColumns) {
      int at = BlockKernel.placeInSums(part, rows.width(), activeColumns, column, j);
      sum[to] = clip * (all[BlockSums.FIRST_SUM + at] * gridStep);
      if (mirrored) {
        sum[to + 1] = 0 - sum[to];
      }
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
