package io.mutune.trainer.model;

import io.mutune.trainer.kernel.BlockKernel;
import java.io.Serializable;

/** Rows in arrays, which are read where they are. */
final class HeapRows implements RowStore.Filled, Serializable {
  private static final long serialVersionUID = 1;

  /** Floats an array, about: small enough for any heap, large enough to be few. */
  private static final int CHUNK_FLOATS = 1 << 24;

  private final int stride;
  private final int blocks;
  private final int chunkBlocks;
  private final float[][] chunks;

  HeapRows(int blocks, int stride) {
    this.stride = stride;
    this.blocks = blocks;
    chunkBlocks = Math.max(1, CHUNK_FLOATS / (stride * BlockKernel.ROWS));
    chunks = new float[(blocks + chunkBlocks - 1) / chunkBlocks][];
    for (int c = 0; c < chunks.length; c++) {
      chunks[c] =
          new float[RowStore.length(Math.min(chunkBlocks, blocks - c * chunkBlocks), stride)];
    }
  }

  private int place(int slot) {
    return offset(slot / BlockKernel.ROWS) + slot % BlockKernel.ROWS * stride;
  }

  private float[] chunk(int block) {
    return chunks[block / chunkBlocks];
  }

  @Override
  public void put(int slot, float[] row) {
    System.arraycopy(row, 0, chunk(slot / BlockKernel.ROWS), place(slot), stride);
  }

  @Override
  public void copy(int slot, float[] to, int at) {
    System.arraycopy(chunk(slot / BlockKernel.ROWS), place(slot), to, at, stride);
  }

  @Override
  public int together(int block, int most) {
    return Math.min(Math.min(most, blocks - block), chunkBlocks - block % chunkBlocks);
  }

  @Override
  public int buffer(int count) {
    return 0;
  }

  @Override
  public float[] read(int block, int count, float[] buffer) {
    return chunk(block);
  }

  @Override
  public int offset(int block) {
    return BlockKernel.LINE_START + block % chunkBlocks * BlockKernel.ROWS * stride;
  }
}
