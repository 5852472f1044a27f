package io.mutune.trainer.data;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * Labelled rows, in memory or streamed from a file: float32 features, row-major, in blocks of at
 * most {@link #BLOCK_ROWS} rows. Callers must not write to the arrays.
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
  private final long rows;
  private final boolean inMemory;
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
    this.rows = blocks.stream().mapToLong(Block::rows).sum();
    this.inMemory = true;
    this.realTargets = realTargets;
  }

  private RowBlocks(int columns, List<Block> blocks, long rows, boolean realTargets) {
    this.columns = columns;
    this.blocks = blocks;
    this.rows = rows;
    this.inMemory = false;
    this.realTargets = realTargets;
  }

  /**
   * Rows that stay in their file.
   *
   * @param blocks makes a block anew whenever it is asked for
   */
  static RowBlocks streamed(int columns, List<Block> blocks, long rows, boolean realTargets) {
    return new RowBlocks(columns, blocks, rows, realTargets);
  }

  /** If not, each pass over {@link #blocks()} reads the rows again, and nobody should keep them. */
  public boolean inMemory() {
    return inMemory;
  }

  /**
   * The same rows less a vector, rounded to float32; read anew from the file where these are.
   *
   * @param vector as many values as a row has features
   */
  public RowBlocks minus(double[] vector) {
    if (vector.length != columns) {
      throw new IllegalArgumentException(
          "%d values cannot be taken from rows of %d".formatted(vector.length, columns));
    }
    double[] shift = vector.clone();
    if (inMemory) {
      return new RowBlocks(
          columns, blocks.stream().map(block -> minus(block, shift)).toList(), realTargets);
    }
    return streamed(columns, new Shifted(blocks, shift), rows, realTargets);
  }

  private static Block minus(Block block, double[] shift) {
    float[] moved = new float[block.features().length];
    for (int i = 0, j = 0; i < moved.length; i++, j = j + 1 == shift.length ? 0 : j + 1) {
      moved[i] = (float) (block.features()[i] - shift[j]);
    }
    return new Block(moved, block.labels());
  }

  private static final class Shifted extends AbstractList<Block> implements RandomAccess {
    private final List<Block> blocks;
    private final double[] shift;

    Shifted(List<Block> blocks, double[] shift) {
      this.blocks = blocks;
      this.shift = shift;
    }

    @Override
    public Block get(int index) {
      return minus(blocks.get(index), shift);
    }

    @Override
    public int size() {
      return blocks.size();
    }
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
    return rows;
  }
}
