package io.mutune.trainer.layout;

import io.mutune.trainer.kernel.BlockKernel;

/**
 * Where the rows of a {@link RowLayout} lie: blocks of {@link BlockKernel#ROWS} slots, each of them
 * {@code stride} floats. Once it is filled, safe for use by several threads.
 */
public interface RowStore {
  /** Copies a slot's row into {@code to}. */
  void copy(int slot, float[] to, int at);

  /** How many of the blocks from {@code block} on, at most {@code most}, can be read together. */
  int together(int block, int most);

  /** Floats that {@link #read} wants for so many blocks. */
  int buffer(int blocks);

  /**
   * Some blocks that can be read together.
   *
   * @param buffer of the thread that asks, at least as long as {@link #buffer} says
   * @return the array that has them from {@link #offset} on, which may be {@code buffer}
   */
  float[] read(int block, int count, float[] buffer);

  /** Where a block starts in the array that {@link #read} gave for it first. */
  int offset(int block);

  /** One that takes rows. */
  interface Filled extends RowStore {
    /** Sets a slot's row; the others are zeros. */
    void put(int slot, float[] row);

    /** The last call before rows are read. */
    default void finish() {}
  }

  /** Of whole blocks in an array of their own. */
  static int length(int blocks, int stride) {
    return Math.addExact(
        BlockKernel.LINE_START,
        Math.multiplyExact(Math.multiplyExact(blocks, BlockKernel.ROWS), stride));
  }
}
