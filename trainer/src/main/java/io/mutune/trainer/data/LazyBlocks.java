package io.mutune.trainer.data;

import io.mutune.trainer.data.RowBlocks.Block;
import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/** Blocks that are found or made whenever one is read; the list keeps none. */
final class LazyBlocks extends AbstractList<Block> implements RandomAccess {
  private final int size;
  private final IntFunction<Block> blocks;

  LazyBlocks(int size, IntFunction<Block> blocks) {
    this.size = size;
    this.blocks = blocks;
  }

  @Override
  public Block get(int index) {
    return blocks.apply(index);
  }

  @Override
  public int size() {
    return size;
  }
}
