package io.mutune.trainer.model;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.noise.RowOrders;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;

/**
 * Clipped sums of any number of trials in one pass over the rows: for some blocks at a time logits,
 * residuals, norms, clipping and outer products, while the rows are in the cache.
 *
 * <p>Blocks are summed in float32, and the blocks' sums added up exactly (docs/soundness.md), so
 * the result depends on the order of the rows, and neither on which thread took which block nor on
 * how many threads or trials there are. A step over all rows allocates nothing.
 */
final class KernelClippedSum implements FusedClippedSum {
  /**
   * What rounding the blocks' sums to the grid may add to the distance of two neighbours, in units
   * of C: two blocks differ between them, each is rounded on both sides, by half a grid step a
   * weight.
   */
  static final double GRID_ERROR = 1e-6;

  /** Bytes of rows that are worked on at a time; a part of the second cache. */
  private static final int CACHE_BYTES = 512 << 10;

  private static final int FIRST_SUM = BlockKernel.LINE_START_OF_LONGS;

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
  private final int pieceBlocks;
  private final int pieces;
  private final double step;
  private final double grid;
  private final WorkerThreads pool;
  private final IntConsumer work;
  private final Worker[] workers;
  private final AtomicInteger next = new AtomicInteger();

  private final float[] packed;
  private final RowSample[] everyRow;
  private final ClipNorm[] openedClips;
  private final ClipNorm[] activeClips;
  private final boolean[] onAllRows;

  private int activeColumns;

  /**
   * @param orders of the rows of a sample
   * @param turn held during a step, so that sums of several threads do not share the processors
   */
  KernelClippedSum(
      RowLayout rows,
      RowOrders orders,
      Loss loss,
      int classes,
      List<ClipNorm> clips,
      BlockKernel kernel,
      int threads,
      Lock turn) {
    this(rows, orders, loss, classes, clips, kernel, new WorkerThreads(threads), threads, turn);
  }

  /**
   * @param pool of so many threads, however many rows there are
   */
  private KernelClippedSum(
      RowLayout rows,
      RowOrders orders,
      Loss loss,
      int classes,
      List<ClipNorm> clips,
      BlockKernel kernel,
      WorkerThreads pool,
      int threads,
      Lock turn) {
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
    int length = Math.multiplyExact(Math.multiplyExact(columns, clips.size()), rows.width());
    step = step((double) rows.features() * weightColumns);
    grid = Math.scalb(1.5, 52) * step;
    pieceBlocks = Math.max(1, CACHE_BYTES / (Float.BYTES * rows.stride() * BlockKernel.ROWS));
    packed = new float[BlockKernel.LINE_START + length];
    openedClips = clips.toArray(ClipNorm[]::new);
    activeClips = openedClips.clone();
    everyRow = new RowSample[trials];
    Arrays.fill(everyRow, RowSample.ALL);
    onAllRows = new boolean[trials];
    pieces = (rows.blocks() + pieceBlocks - 1) / pieceBlocks;
    workers = new Worker[threads];
    double[] scales = KernelResiduals.scales(rows, loss, classes);
    for (int t = 0; t < workers.length; t++) {
      workers[t] = new Worker(new KernelResiduals(kernel, rows, scales, loss, classes), length);
    }
    this.pool = pool;
    work = number -> workers[number].work();
  }

  /** The greatest power of two g with 2g·√weights within {@link #GRID_ERROR}. */
  private static double step(double weights) {
    return Math.scalb(1.0, Math.getExponent(GRID_ERROR / (2 * Math.sqrt(weights))));
  }

  @Override
  public int trials() {
    return trials;
  }

  @Override
  public void compute(double[][] weights, double[][] sums, boolean[] active) {
    compute(weights, openedClips, everyRow, sums, active);
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
    activeColumns = pack(weights, clips, active) * columns;
    next.set(0);
    pool.run(work);
    addUp();
    unpack(clips, sums, active);
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
            layout, orders, loss, classes, List.of(clip), kernel, pool, workers.length, turn);
    alone.compute(new double[][] {weights}, new double[][] {sum}, new boolean[] {true});
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

  private void addUp() {
    int length = FIRST_SUM + activeColumns * rows.width();
    long[] all = workers[0].sums;
    for (int t = 1; t < workers.length; t++) {
      long[] more = workers[t].sums;
      for (int i = 0; i < length; i++) {
        all[i] += more[i];
      }
    }
  }

  private void unpack(ClipNorm[] clips, double[][] sums, boolean[] active) {
    int first = 0;
    for (int t = 0; t < active.length; t++) {
      if (active[t]) {
        for (int c = 0; c < columns; c++) {
          unpack(first + c, clips[t].value(), sums[t], c);
        }
        first += columns;
      }
    }
  }

  private void unpack(int column, double clip, double[] sum, int c) {
    long[] all = workers[0].sums;
    int part = kernel.partOfSums();
    for (int j = 0, to = c; j < rows.features(); j++, to += weightColumns) {
      int at = BlockKernel.placeInSums(part, rows.width(), activeColumns, column, j);
      sum[to] = clip * (all[FIRST_SUM + at] * step);
      if (mirrored) {
        sum[to + 1] = 0 - sum[to];
      }
    }
  }

  @Override
  public void close() {
    pool.close();
  }

  /** One thread's share of a step. */
  private final class Worker {
    private final KernelResiduals residuals;
    private final long[] sums;
    private float[] logits = {};
    private float[] buffer = {};
    private float[] scratch = {};

    Worker(KernelResiduals residuals, int length) {
      this.residuals = residuals;
      this.sums = new long[FIRST_SUM + length];
    }

    /** With the first piece: of a small sample most threads see none. */
    private void prepare() {
      if (logits.length == 0) {
        logits = new float[Math.multiplyExact(pieceBlocks * BlockKernel.ROWS, columns * trials)];
        buffer = new float[rows.store().buffer(pieceBlocks)];
        scratch = new float[kernel.scratch()];
      }
    }

    void work() {
      Arrays.fill(sums, 0, FIRST_SUM + activeColumns * rows.width(), 0);
      for (int p = next.getAndIncrement(); p < pieces; p = next.getAndIncrement()) {
        prepare();
        int end = Math.min(rows.blocks(), (p + 1) * pieceBlocks);
        for (int block = p * pieceBlocks; block < end; ) {
          int count = rows.store().together(block, end - block);
          add(block, count);
          block += count;
        }
      }
    }

    private void add(int block, int count) {
      float[] x = rows.store().read(block, count, buffer);
      int from = rows.store().offset(block);
      int width = rows.width();
      int stride = rows.stride();
      kernel.logits(
          x,
          from,
          stride,
          width,
          count,
          packed,
          BlockKernel.LINE_START,
          activeColumns,
          logits,
          scratch);
      residuals(block, count);
      clip(block, count);
      kernel.addOuter(
          x, from, stride, width, count, logits, activeColumns, sums, FIRST_SUM, grid, scratch);
    }

    // Two loops, which the compiler keeps apart: in one method they run at half their speed.

    private void residuals(int block, int count) {
      for (int b = 0, from = 0; b < count; b++) {
        for (int c = 0; c < activeColumns; c += columns, from += columns * BlockKernel.ROWS) {
          residuals.ofLogits(logits, from, block + b);
        }
      }
    }

    private void clip(int block, int count) {
      for (int b = 0, from = 0; b < count; b++) {
        for (int t = 0; t * columns < activeColumns; t++, from += columns * BlockKernel.ROWS) {
          residuals.clip(logits, from, block + b, activeClips[t]);
        }
      }
    }
  }
}
