package io.mutune.trainer.data;

import java.util.List;

/**
 * Labelled rows in memory: float32 features, row-major, in blocks of at most {@link #BLOCK_ROWS}
 * rows. Callers must not write to the arrays.
 */
public final class RowBlocks {
  /** Small enough that a float32 sum over one block keeps six digits, large enough for BLAS. */
  public static final int BLOCK_ROWS = 4096;

  /**
   * One block.
   *
   * @param features {@code [rows, columns]}, row-major
   * @param labels class index a row, or where targets are real their {@link TargetRange#code}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared: identity of the block is enough
  public record Block(float[] features, int[] labels) {
    public int rows() {
      return labels.length;
    }
  }

  private final int columns;
  private final List<Block> blocks;
  private final boolean realTargets;

  /** Rows with classes. */
  public RowBlocks(int columns, List<Block> blocks) {
    this(columns, blocks, false);
  }

  /**
   * @param realTargets whether labels are codes of real targets instead of class indices
   */
  public RowBlocks(int columns, List<Block> blocks, boolean realTargets) {
    for (Block block : blocks) {
      if (block.features().length != (long) block.rows() * columns || block.rows() > BLOCK_ROWS) {
        throw new IllegalArgumentException("a block's arrays do not fit its shape");
      }
    }
    this.columns = columns;
    this.blocks = List.copyOf(blocks);
    this.realTargets = realTargets;
  }

  /** The number of features of every row. */
  public int columns() {
    return columns;
  }

  /** Whether labels are codes of real targets instead of class indices. */
  public boolean realTargets() {
    return realTargets;
  }

  public List<Block> blocks() {
    return blocks;
  }

  public long rows() {
    return blocks.stream().mapToLong(Block::rows).sum();
  }
}
