package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.loss.Loss;
import java.util.Arrays;

/**
 * What blocks of rows add to the clipped sums of some trials: for some blocks at a time logits,
 * residuals, norms, clipping and outer products, while the rows are in the cache. Blocks are summed
 * in float32 and their sums added up exactly, as whole numbers (docs/soundness.md). Working memory
 * of one thread; once its first blocks are added, adding others allocates nothing.
 */
final class BlockSums {
  /**
   * What rounding the blocks' sums to the grid may add to the distance of two neighbours, in units
   * of C: two blocks differ between them, each is rounded on both sides, by half a grid step a
   * weight.
   */
  static final double GRID_ERROR = 1e-6;

  /** Where sums start. */
  static final int FIRST_SUM = BlockKernel.LINE_START_OF_LONGS;

  /** Bytes of rows that are worked on at a time; a part of the second cache. */
  private static final int CACHE_BYTES = 512 << 10;

  private final RowLayout rows;
  private final BlockKernel kernel;
  private final KernelResiduals residuals;
  private final int columnsOfTrial;
  private final int columns;
  private final int pieceBlocks;
  private final double grid;
  private final long[] sums;
  private float[] logits = {};
  private float[] buffer = {};
  private float[] scratch = {};

  /**
   * @param scales what {@link KernelResiduals#scales} gives for these rows
   * @param trials at most so many in a step
   */
  BlockSums(
      RowLayout rows, BlockKernel kernel, double[] scales, Loss loss, int classes, int trials) {
    this.rows = rows;
    this.kernel = kernel;
    residuals = new KernelResiduals(kernel, rows, scales, loss, classes);
    columnsOfTrial = KernelResiduals.columns(loss, classes);
    columns = Math.multiplyExact(columnsOfTrial, trials);
    pieceBlocks = pieceBlocks(rows.stride());
    grid = Math.scalb(1.5, 52) * gridStep((double) rows.features() * loss.columns(classes));
    sums = new long[FIRST_SUM + Math.multiplyExact(columns, rows.width())];
  }

  /**
   * How many blocks are worked on at a time.
   *
   * @param stride floats from one row to the next
   */
  static int pieceBlocks(int stride) {
    return Math.max(1, CACHE_BYTES / (Float.BYTES * stride * BlockKernel.ROWS));
  }

  /** About how many bytes one takes, by public numbers. */
  static double bytes(int stride, double columns) {
    double rows = (double) pieceBlocks(stride) * BlockKernel.ROWS;
    return columns * stride * Long.BYTES + rows * (columns + stride) * Float.BYTES;
  }

  /**
   * What sums are counted in: the greatest power of two g with 2g·√weights within {@link
   * #GRID_ERROR}.
   *
   * @param weights of one trial
   */
  static double gridStep(double weights) {
    return Math.scalb(1.0, Math.getExponent(GRID_ERROR / (2 * Math.sqrt(weights))));
  }

  /** Forgets what was added. */
  void clear(Step step) {
    Arrays.fill(sums, 0, length(step), 0);
  }

  /** How many numbers of {@link #sums} belong to a step. */
  int length(Step step) {
    return FIRST_SUM + step.columns() * rows.width();
  }

  /** In units of {@link #gridStep}, from {@link #FIRST_SUM} on, as the kernel places them. */
  long[] sums() {
    return sums;
  }

  /** Adds the blocks from one to before another. */
  void add(Step step, int from, int end) {
    reserve();
    for (int block = from; block < end; ) {
      int count = rows.store().together(block, Math.min(pieceBlocks, end - block));
      addTogether(step, block, count);
      block += count;
    }
  }

  /** Takes the memory that adding blocks needs, unless it has. */
  void reserve() {
    if (logits.length == 0) {
      logits = new float[Math.multiplyExact(pieceBlocks * BlockKernel.ROWS, columns)];
      buffer = new float[rows.store().buffer(pieceBlocks)];
      scratch = new float[kernel.scratch()];
    }
  }

  private void addTogether(Step step, int block, int count) {
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
        step.packed(),
        BlockKernel.LINE_START,
        step.columns(),
        logits,
        scratch);
    residuals(step.columns(), block, count);
    clip(step, block, count);
    kernel.addOuter(
        x, from, stride, width, count, logits, step.columns(), sums, FIRST_SUM, grid, scratch);
  }

  // Two loops, which the compiler keeps apart: in one method they run at half their speed.

  private void residuals(int active, int block, int count) {
    for (int b = 0, from = 0; b < count; b++) {
      for (int c = 0; c < active; c += columnsOfTrial, from += columnsOfTrial * BlockKernel.ROWS) {
        residuals.ofLogits(logits, from, block + b);
      }
    }
  }

  private void clip(Step step, int block, int count) {
    for (int b = 0, from = 0; b < count; b++) {
      for (int t = 0;
          t * columnsOfTrial < step.columns();
          t++, from += columnsOfTrial * BlockKernel.ROWS) {
        residuals.clip(logits, from, block + b, step.clips()[t]);
      }
    }
  }
}
