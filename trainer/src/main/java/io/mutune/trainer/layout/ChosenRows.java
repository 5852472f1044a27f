package io.mutune.trainer.layout;

import io.mutune.trainer.kernel.BlockKernel;
import java.util.Arrays;

/** Some rows of another store in an order of their own, brought together whenever they are read. */
final class ChosenRows implements RowStore {
  private final RowStore rows;
  private final int[] chosen;
  private final int stride;
  private final int blocks;

  /**
   * @param chosen slot i here is slot {@code chosen[i]} of {@code rows}, or zeros where that is
   *     {@link UnitPlaces#NOWHERE}; of whole blocks
   */
  ChosenRows(RowStore rows, int[] chosen, int stride) {
    this.rows = rows;
    this.chosen = chosen;
    this.stride = stride;
    this.blocks = chosen.length / BlockKernel.ROWS;
  }

  @Override
  public void copy(int slot, float[] to, int at) {
    if (chosen[slot] == UnitPlaces.NOWHERE) {
      Arrays.fill(to, at, at + stride, 0);
    } else {
      rows.copy(chosen[slot], to, at);
    }
  }

  @Override
  public int together(int block, int most) {
    return Math.min(most, blocks - block);
  }

  @Override
  public int buffer(int count) {
    return RowStore.length(count, stride);
  }

  @Override
  public float[] read(int block, int count, float[] buffer) {
    int first = block * BlockKernel.ROWS;
    int end = first + count * BlockKernel.ROWS;
    int at = BlockKernel.LINE_START;
    for (int slot = first; slot < end; slot++, at += stride) {
      copy(slot, buffer, at);
    }
    return buffer;
  }

  @Override
  public int offset(int block) {
    return BlockKernel.LINE_START;
  }
}
