package io.mutune.trainer.layout;

import io.mutune.trainer.file.ScratchFile;
import io.mutune.trainer.kernel.BlockKernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;

/** Rows in a scratch file: a step reads it from its start to its end. */
final class ScratchRows implements RowStore.Filled {
  /** A mapping reaches at most 2 GiB. */
  private static final int WINDOW_FLOATS = 1 << 28;

  private final int stride;
  private final int blocks;
  private final int windowBlocks;
  private final ScratchFile file;
  private List<FloatBuffer> windows = List.of();

  /**
   * @throws UncheckedIOException if there can be no such file
   */
  ScratchRows(int blocks, int stride, Path folder) {
    this.stride = stride;
    this.blocks = blocks;
    windowBlocks = Math.max(1, WINDOW_FLOATS / (stride * BlockKernel.ROWS));
    try {
      file = ScratchFile.in(folder, stride);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void put(int slot, float[] row) {
    try {
      file.write((long) slot * stride, row, stride);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void finish() {
    try (file) {
      int blockFloats = stride * BlockKernel.ROWS;
      windows = file.mapped((long) blocks * blockFloats, windowBlocks * blockFloats);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void copy(int slot, float[] to, int at) {
    int block = slot / BlockKernel.ROWS;
    get(block, slot % BlockKernel.ROWS, 1, to, at);
  }

  private void get(int block, int row, int rows, float[] to, int at) {
    int from = (block % windowBlocks * BlockKernel.ROWS + row) * stride;
    windows.get(block / windowBlocks).get(from, to, at, rows * stride);
  }

  @Override
  public int together(int block, int most) {
    return Math.min(Math.min(most, blocks - block), windowBlocks - block % windowBlocks);
  }

  @Override
  public int buffer(int count) {
    return RowStore.length(count, stride);
  }

  @Override
  public float[] read(int block, int count, float[] buffer) {
    get(block, 0, count * BlockKernel.ROWS, buffer, BlockKernel.LINE_START);
    return buffer;
  }

  @Override
  public int offset(int block) {
    return BlockKernel.LINE_START;
  }
}
