package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.BlockKernel;
import java.util.Arrays;

/**
 * Rows as the kernel reads them: in a secret random order, each scaled by a power of two to a norm
 * in [0.5, 1), padded with zeros to whole vectors and the last block with zero rows. Immutable.
 *
 * <p>The scaling is exact (but for the subnormal part of a value, which is rounded), keeps rows of
 * any size in float32's range and is taken back in double. A row that is not finite is a zero row,
 * which adds nothing.
 */
final class RowLayout {
  /** Floats an array, about: small enough for any heap, large enough to be few. */
  private static final int CHUNK_FLOATS = 1 << 24;

  /** Floats a cache line. */
  private static final int LINE = 16;

  private final int features;
  private final int width;
  private final int stride;
  private final int blocks;
  private final int chunkBlocks;
  private final float[][] chunks;
  private final double[] norms;
  private final float[] low;
  private final float[] high;
  private final int[] labels;
  private final int[] slotOf;

  /**
   * @param order a permutation of the rows: slot i holds row {@code order[i]}
   */
  RowLayout(RowBlocks rows, int[] order, int lanes) {
    this(rows.columns(), roundUp(rows.columns(), lanes), order);
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        place(block.features(), i * features, block.labels()[i], slotOf[row]);
      }
    }
  }

  /** Empty. */
  private RowLayout(int features, int width, int[] order) {
    this.features = features;
    this.width = width;
    stride = strideOf(width);
    blocks = (order.length + BlockKernel.ROWS - 1) / BlockKernel.ROWS;
    chunkBlocks = Math.max(1, CHUNK_FLOATS / (stride * BlockKernel.ROWS));
    chunks = new float[(blocks + chunkBlocks - 1) / chunkBlocks][];
    for (int c = 0; c < chunks.length; c++) {
      int count = Math.min(chunkBlocks, blocks - c * chunkBlocks);
      chunks[c] =
          new float[BlockKernel.LINE_START + Math.multiplyExact(count * BlockKernel.ROWS, stride)];
    }
    int slots = blocks * BlockKernel.ROWS;
    norms = new double[slots];
    low = new float[slots];
    high = new float[slots];
    labels = new int[slots];
    Arrays.fill(labels, -1);
    slotOf = new int[order.length];
    for (int slot = 0; slot < order.length; slot++) {
      slotOf[order[slot]] = slot;
    }
  }

  /**
   * Some of these rows in an order of their own, as if there were no others.
   *
   * @param taken slots here, in the order of the data set
   * @param order a permutation of them: slot i there holds {@code taken[order[i]]}
   */
  RowLayout gathered(int[] taken, int[] order) {
    RowLayout sample = new RowLayout(features, width, order);
    for (int i = 0; i < taken.length; i++) {
      int from = taken[i];
      int to = sample.slotOf[i];
      sample.norms[to] = norms[from];
      sample.low[to] = low[from];
      sample.high[to] = high[from];
      sample.labels[to] = labels[from];
      System.arraycopy(
          values(from / BlockKernel.ROWS),
          place(from),
          sample.values(to / BlockKernel.ROWS),
          sample.place(to),
          width);
    }
    return sample;
  }

  /** Where a slot's row starts in its array. */
  private int place(int slot) {
    return offset(slot / BlockKernel.ROWS) + slot % BlockKernel.ROWS * stride;
  }

  private static int roundUp(int value, int multiple) {
    return Math.multiplyExact((value - 1) / multiple + 1, multiple);
  }

  /** Rows a multiple of 16 lines apart would share few sets of the cache. */
  private static int strideOf(int width) {
    return width % (16 * LINE) == 0 ? width + LINE : width;
  }

  private void place(float[] values, int from, int label, int slot) {
    labels[slot] = label;
    double norm = RowNorm.of(values, from, features);
    if (!(norm > 0) || norm == Double.POSITIVE_INFINITY) {
      return;
    }
    int exponent = Math.getExponent(norm) + 1;
    norms[slot] = norm;
    low[slot] = (float) Math.scalb(1.0, exponent / 2);
    high[slot] = (float) Math.scalb(1.0, exponent - exponent / 2);
    float[] chunk = chunks[slot / BlockKernel.ROWS / chunkBlocks];
    int to = place(slot);
    for (int j = 0; j < features; j++) {
      chunk[to + j] = (float) Math.scalb((double) values[from + j], -exponent);
    }
  }

  int features() {
    return features;
  }

  /** Floats of a row that count: the features, and zeros up to whole vectors. */
  int width() {
    return width;
  }

  /** Floats from one row to the next. */
  int stride() {
    return stride;
  }

  /** How many blocks of {@link BlockKernel#ROWS} rows there are. */
  int blocks() {
    return blocks;
  }

  /** How many of the blocks from {@code block} on, at most {@code most}, lie in one array. */
  int together(int block, int most) {
    return Math.min(Math.min(most, blocks - block), chunkBlocks - block % chunkBlocks);
  }

  /** The array that a block lies in. */
  float[] values(int block) {
    return chunks[block / chunkBlocks];
  }

  /** Where in {@link #values} a block starts. */
  int offset(int block) {
    return BlockKernel.LINE_START + block % chunkBlocks * BlockKernel.ROWS * stride;
  }

  /** ‖x‖ a row; 0 for a row that adds nothing. */
  double[] norms() {
    return norms;
  }

  /** With {@link #high}, what a row was divided by, which may be no float itself. */
  float[] low() {
    return low;
  }

  float[] high() {
    return high;
  }

  /** The label a row, −1 for those that are padding. */
  int[] labels() {
    return labels;
  }

  /** Where each row of the data set lies, in the data set's order. */
  int[] slots() {
    return slotOf;
  }
}
