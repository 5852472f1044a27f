package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.TargetRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Labelled rows, in memory or streamed from a file: float32 features, row-major, in blocks of at
 * most {@link #BLOCK_ROWS} rows. Callers must not write to the arrays.
 */
public final class RowBlocks {
  /** Small enough that a float32 sum over one block keeps six digits, large enough for BLAS. */
  public static final int BLOCK_ROWS = 4096;

  /**
   * The label of a slot without a row, beside features that are all 0: no class and no code of a
   * target, so no loss admits it, and it earns nothing in a score.
   */
  public static final int NO_LABEL = Integer.MIN_VALUE;

  /** A score by which a class is as good as certain, and a target at the end of its range. */
  private static final float FAR_OFF = 1e6f;

  /**
   * One block.
   *
   * @param features {@code [rows, columns]}, row-major
   * @param labels class index a row, or where targets are real their {@link TargetRange#code};
   *     {@link #NO_LABEL} where there is no row
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
  private final @Nullable RowUnits units;

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
    this.units = null;
  }

  private RowBlocks(
      int columns,
      List<Block> blocks,
      long rows,
      boolean inMemory,
      boolean realTargets,
      @Nullable RowUnits units) {
    this.columns = columns;
    this.blocks = blocks;
    this.rows = rows;
    this.inMemory = inMemory;
    this.realTargets = realTargets;
    this.units = units;
  }

  /**
   * The same rows, belonging to units.
   *
   * @throws IllegalArgumentException if the units are of another number of rows
   */
  public RowBlocks withUnits(RowUnits of) {
    if (of.rows() != rows) {
      throw new IllegalArgumentException("units of another number of rows");
    }
    return with(of);
  }

  /** The same rows, each a unit of its own: for rows that need no protection. */
  public RowBlocks withoutUnits() {
    return with(null);
  }

  private RowBlocks with(@Nullable RowUnits of) {
    return new RowBlocks(columns, blocks, rows, inMemory, realTargets, of);
  }

  /**
   * Rows that stay in their file.
   *
   * @param blocks makes a block anew whenever it is asked for
   */
  static RowBlocks streamed(int columns, List<Block> blocks, long rows, boolean realTargets) {
    return new RowBlocks(columns, blocks, rows, false, realTargets, null);
  }

  /** If not, each pass over {@link #blocks()} reads the rows again, and nobody should keep them. */
  public boolean inMemory() {
    return inMemory;
  }

  /**
   * The rows' images; made anew from the file at each pass where the rows are.
   *
   * @throws IllegalArgumentException if a map is not made for such rows
   */
  public RowBlocks mapped(FeaturePipeline maps) {
    if (maps.maps().isEmpty()) {
      return this;
    }
    int outputs = maps.outputs(columns);
    if (inMemory) {
      return new RowBlocks(
              outputs,
              blocks.stream().map(block -> image(maps, block, columns)).toList(),
              realTargets)
          .with(units);
    }
    return mappedAnew(maps);
  }

  /**
   * The same, made anew at each pass even where the rows are in memory: for one that goes by the
   * images once and keeps none.
   */
  public RowBlocks mappedAnew(FeaturePipeline maps) {
    return anew(maps.outputs(columns), block -> image(maps, block, columns));
  }

  /**
   * The same rows with other features, as many, made anew at each pass.
   *
   * @param of what a block's become; must not write to them
   */
  public RowBlocks withFeatures(UnaryOperator<float[]> of) {
    return anew(columns, block -> new Block(of.apply(block.features()), block.labels()));
  }

  private RowBlocks anew(int outputs, UnaryOperator<Block> image) {
    List<Block> images = new LazyBlocks(blocks.size(), i -> image.apply(blocks.get(i)));
    return new RowBlocks(outputs, images, rows, inMemory, realTargets, units);
  }

  /**
   * The same rows, of which only some are there: in place of the others stand slots without a row.
   *
   * @param isThere by a row's position, from 0
   */
  public RowBlocks where(IntPredicate isThere) {
    List<Block> some =
        new LazyBlocks(
            blocks.size(), index -> some(blocks.get(index), index * BLOCK_ROWS, isThere));
    return inMemory
        ? new RowBlocks(columns, some, realTargets).with(units)
        : streamed(columns, some, rows, realTargets).with(units);
  }

  private static Block some(Block block, int first, IntPredicate isThere) {
    int[] labels = block.labels().clone();
    for (int i = 0; i < labels.length; i++) {
      labels[i] = isThere.test(first + i) ? labels[i] : NO_LABEL;
    }
    return new Block(block.features(), labels);
  }

  /**
   * The same rows with scores in place of their features. A row with a score that is not finite is
   * wrong, by any metric: were it left out, a model could look better by it.
   *
   * @param scores {@code [rows, columns]}, row-major
   */
  public RowBlocks scored(float[] scores, int columns) {
    if (scores.length != rows * columns) {
      throw new IllegalArgumentException("scores of another number of rows");
    }
    List<Block> images = new ArrayList<>();
    int first = 0;
    for (Block block : blocks) {
      int[] labels = block.labels().clone();
      float[] own = Arrays.copyOfRange(scores, first, first + labels.length * columns);
      for (int row = 0; row < labels.length; row++) {
        if (!areFinite(own, row * columns, columns)) {
          wrong(own, row * columns, columns, labels[row]);
        }
      }
      images.add(new Block(own, labels));
      first += own.length;
    }
    return new RowBlocks(columns, images, realTargets).with(units);
  }

  private static boolean areFinite(float[] scores, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (!Float.isFinite(scores[i])) {
        return false;
      }
    }
    return true;
  }

  /** Scores that are as far off as they can be; of a row without a label, any. */
  private void wrong(float[] scores, int from, int columns, int label) {
    Arrays.fill(scores, from, from + columns, 0);
    if (columns == 1) {
      boolean isHigh = realTargets ? TargetRange.value(label) > 0 : label == 1;
      scores[from] = isHigh ? -FAR_OFF : FAR_OFF;
    } else if (label >= 0 && label < columns) {
      scores[from + label] = -FAR_OFF;
    }
  }

  /**
   * These, then the others; made anew from the file at each pass where these are. Where these
   * belong to units the others keep theirs, or each is one of its own; where these do not, all are
   * single rows.
   *
   * @param others in memory, as wide, with labels of the same kind
   */
  RowBlocks and(RowBlocks others) {
    if (others.columns != columns || others.realTargets != realTargets || !others.inMemory) {
      throw new IllegalArgumentException("rows of another kind");
    }
    int first = blocks.size();
    List<Block> all =
        new LazyBlocks(
            first + others.blocks.size(),
            index -> index < first ? blocks.get(index) : others.blocks.get(index - first));
    RowBlocks joined =
        inMemory
            ? new RowBlocks(columns, all, realTargets)
            : streamed(columns, all, rows + others.rows, realTargets);
    return units == null
        ? joined
        : joined.with(
            units.and(
                others.units().orElseGet(() -> RowUnits.single(Math.toIntExact(others.rows)))));
  }

  private static Block image(FeaturePipeline maps, Block block, int inputs) {
    return new Block(
        BlockMap.apply(maps, block.features(), block.labels(), block.rows(), inputs),
        block.labels());
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

  /** Whose the rows are; empty where each is a unit of its own. */
  public Optional<RowUnits> units() {
    return Optional.ofNullable(units);
  }
}
