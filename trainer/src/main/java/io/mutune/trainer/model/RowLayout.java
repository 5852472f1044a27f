package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.noise.RowOrders;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Rows as the kernel reads them: in a secret random order, each scaled by a power of two to a norm
 * in [0.5, 1), padded with zeros to whole vectors and the last block with zero rows. Immutable.
 *
 * <p>The scaling is exact (but for the subnormal part of a value, which is rounded), keeps rows of
 * any size in float32's range and is taken back in double. A row of zeros, or one that is not
 * finite, adds nothing and is left out before the order is drawn, so that it is exactly its own
 * absence.
 */
final class RowLayout {
  /** Floats a cache line. */
  private static final int LINE = 16;

  /** In place of the slot of a row that is left out. */
  private static final int NOWHERE = -1;

  private final int features;
  private final int width;
  private final int stride;
  private final int blocks;
  private final RowStore store;
  private final double[] norms;
  private final float[] low;
  private final float[] high;
  private final int[] labels;
  private final int[] slotOf;

  /**
   * @param orders of the rows that are not left out: slot i holds row {@code order[i]} of these
   * @param scratch where rows that are not in memory are put in order
   */
  static RowLayout of(RowBlocks rows, RowOrders orders, int lanes, Path scratch) {
    double[] norms = norms(rows);
    int[] slotOf = slots(norms, orders);
    int width = roundUp(rows.columns(), lanes);
    int blocks = blocks((int) Arrays.stream(slotOf).filter(slot -> slot != NOWHERE).count());
    RowStore.Filled store =
        rows.inMemory()
            ? new HeapRows(blocks, strideOf(width))
            : new ScratchRows(blocks, strideOf(width), scratch);
    RowLayout layout = new RowLayout(rows.columns(), width, blocks, store, slotOf);
    float[] scaled = new float[layout.stride];
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        if (slotOf[row] != NOWHERE) {
          layout.describe(slotOf[row], norms[row], block.labels()[i]);
          scale(block.features(), i * rows.columns(), rows.columns(), norms[row], scaled);
          store.put(slotOf[row], scaled);
        }
      }
    }
    store.finish();
    return layout;
  }

  private RowLayout(int features, int width, int blocks, RowStore store, int[] slotOf) {
    this.features = features;
    this.width = width;
    this.stride = strideOf(width);
    this.blocks = blocks;
    this.store = store;
    this.slotOf = slotOf;
    int slots = Math.multiplyExact(blocks, BlockKernel.ROWS);
    norms = new double[slots];
    low = new float[slots];
    high = new float[slots];
    labels = new int[slots];
    Arrays.fill(labels, -1);
  }

  /** Of each row in the order of the data set; 0 for one that is not finite. */
  private static double[] norms(RowBlocks rows) {
    double[] norms = new double[Math.toIntExact(rows.rows())];
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        double norm = RowNorm.of(block.features(), i * rows.columns(), rows.columns());
        norms[row] = norm < Double.POSITIVE_INFINITY ? norm : 0;
      }
    }
    return norms;
  }

  private static int[] slots(double[] norms, RowOrders orders) {
    int[] kept = new int[norms.length];
    int count = 0;
    for (int row = 0; row < norms.length; row++) {
      if (norms[row] > 0) {
        kept[count++] = row;
      }
    }
    int[] order = orders.draw(count);
    int[] slotOf = new int[norms.length];
    Arrays.fill(slotOf, NOWHERE);
    for (int slot = 0; slot < count; slot++) {
      slotOf[kept[order[slot]]] = slot;
    }
    return slotOf;
  }

  /**
   * The rows that a sample takes in an order of their own, as if there were no others.
   *
   * @param sample asked once for every row of the data set, in its order
   * @param orders of the rows that are taken
   */
  RowLayout sampled(RowSample sample, RowOrders orders) {
    int[] taken = new int[slotOf.length];
    int count = 0;
    for (int slot : slotOf) {
      if (sample.takesNext() && slot != NOWHERE) {
        taken[count++] = slot;
      }
    }
    int[] order = orders.draw(count);
    int[] chosen = new int[count];
    Arrays.setAll(chosen, slot -> taken[order[slot]]);
    RowLayout layout =
        new RowLayout(
            features, width, blocks(count), new ChosenRows(store, chosen, stride), new int[0]);
    for (int slot = 0; slot < count; slot++) {
      layout.norms[slot] = norms[chosen[slot]];
      layout.low[slot] = low[chosen[slot]];
      layout.high[slot] = high[chosen[slot]];
      layout.labels[slot] = labels[chosen[slot]];
    }
    return layout;
  }

  private static int blocks(int rows) {
    return (rows + BlockKernel.ROWS - 1) / BlockKernel.ROWS;
  }

  private static int roundUp(int value, int multiple) {
    return Math.multiplyExact((value - 1) / multiple + 1, multiple);
  }

  /** Rows a multiple of 16 lines apart would share few sets of the cache. */
  private static int strideOf(int width) {
    return width % (16 * LINE) == 0 ? width + LINE : width;
  }

  private void describe(int slot, double norm, int label) {
    int exponent = exponent(norm);
    labels[slot] = label;
    norms[slot] = norm;
    low[slot] = (float) Math.scalb(1.0, exponent / 2);
    high[slot] = (float) Math.scalb(1.0, exponent - exponent / 2);
  }

  private static int exponent(double norm) {
    return Math.getExponent(norm) + 1;
  }

  private static void scale(float[] from, int start, int features, double norm, float[] to) {
    int exponent = exponent(norm);
    for (int j = 0; j < features; j++) {
      to[j] = (float) Math.scalb((double) from[start + j], -exponent);
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

  /** The rows themselves. */
  RowStore store() {
    return store;
  }

  /** ‖x‖ a row; 0 for padding. */
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
}
