package io.mutune.trainer.layout;

import io.mutune.trainer.kernel.BlockKernel;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

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

  /**
   * How rows are written to a stream, from which executors read them in each step where they are
   * not in memory: Java's own way, number by number, takes as long as to decrypt them.
   */
  private static final class Written implements Serializable {
    private static final long serialVersionUID = 1;

    private static final int PIECE_FLOATS = 1 << 18;

    private transient HeapRows rows;

    private Written(HeapRows rows) {
      this.rows = rows;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(rows.blocks);
      out.writeInt(rows.stride);
      byte[] bytes = new byte[PIECE_FLOATS * Float.BYTES];
      for (float[] chunk : rows.chunks) {
        for (int from = 0; from < chunk.length; from += PIECE_FLOATS) {
          int count = Math.min(PIECE_FLOATS, chunk.length - from);
          floats(bytes).put(chunk, from, count);
          out.write(bytes, 0, count * Float.BYTES);
        }
      }
    }

    private void readObject(ObjectInputStream in) throws IOException {
      int blocks = in.readInt();
      rows = new HeapRows(blocks, in.readInt());
      byte[] bytes = new byte[PIECE_FLOATS * Float.BYTES];
      for (float[] chunk : rows.chunks) {
        for (int from = 0; from < chunk.length; from += PIECE_FLOATS) {
          int count = Math.min(PIECE_FLOATS, chunk.length - from);
          in.readFully(bytes, 0, count * Float.BYTES);
          floats(bytes).get(chunk, from, count);
        }
      }
    }

    private static FloatBuffer floats(byte[] bytes) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }

    private Object readResolve() {
      return rows;
    }
  }

  private Object writeReplace() {
    return new Written(this);
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
