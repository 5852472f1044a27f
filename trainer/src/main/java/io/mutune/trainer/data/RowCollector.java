package io.mutune.trainer.data;

import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.format.RowSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rows of a file in memory, their features computed a block at a time. Of people's
 * protected rows it keeps those that count ({@link UnitLimit}), and none that is nobody's: memory
 * follows from how many people there are.
 */
public final class RowCollector implements RowSink {
  private static final int FIRST_ROWS = 64;

  private final DataSpec spec;
  private final FeaturePipeline pipeline;
  private final List<Block> blocks = new ArrayList<>();
  private final @Nullable UnitLimit limit;
  private final boolean keepsAll;
  private int inputs;
  private int columns;
  private float[] raw = {};
  private int[] labels = {};
  private int rows;

  /** For rows that take the place of others; open from the first of them on. */
  private @Nullable RowMap one;

  /**
   * @param keepsAll whether rows of people that do not count are kept too, as of public rows
   */
  RowCollector(DataSpec spec, FeaturePipeline pipeline, boolean keepsAll) {
    this.spec = spec;
    this.pipeline = pipeline;
    this.keepsAll = keepsAll;
    limit = UnitLimit.of(spec.table());
  }

  /** All rows of files that {@link RowStorage} keeps in memory. */
  static RowBlocks collect(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit)
      throws IOException {
    spec.checkReadable();
    RowCollector collector = new RowCollector(spec, pipeline, unfit.areRefused());
    RowReader.of(spec).read(unfit.around(collector));
    return collector.blocks();
  }

  /** All that were collected; no others may follow. */
  RowBlocks blocks() {
    closeBlock();
    RowBlocks all = new RowBlocks(columns, blocks, spec.labelling().size() == Labelling.REAL);
    return limit == null ? all : all.withUnits(keepsAll ? limit.unitsOfAll() : limit.units());
  }

  @Override
  public void begin(int columns) throws DataFormatException {
    this.inputs = columns;
    this.columns = outputs(spec, pipeline, columns);
  }

  /** The same for rows that went through their maps elsewhere. */
  void beginMapped(int columns) {
    this.inputs = columns;
    this.columns = columns;
  }

  /**
   * How many features rows of so many columns end up with.
   *
   * @throws DataFormatException if the maps are not made for such rows
   */
  public static int outputs(RowSpec spec, FeaturePipeline pipeline, int columns)
      throws DataFormatException {
    try {
      int outputs = pipeline.outputs(columns);
      if (outputs <= RowForm.MAX_FEATURES) {
        return outputs;
      }
    } catch (IllegalArgumentException e) {
      throw DataFormatException.in(spec.file(), "does not suit the features: " + e.getMessage());
    }
    throw DataFormatException.in(
        spec.file(), "would have more than " + RowForm.MAX_FEATURES + " features");
  }

  @Override
  public void file(int number) {
    if (limit != null) {
      limit.file(number);
    }
  }

  @Override
  public void row(float[] values, int label, @Nullable String unit) {
    take(values, label, limit == null ? next() : limit.place(unit));
  }

  private int next() {
    return blocks.size() * RowBlocks.BLOCK_ROWS + rows;
  }

  /** Takes a row of a person that has its tag, of {@link UnitLimit#tag}. */
  void tagged(float[] values, int label, String unit, long tag) {
    take(values, label, limit == null ? next() : limit.place(unit, tag));
  }

  private void take(float[] values, int label, int place) {
    if (place == next() || keepsAll) {
      add(values, label);
    } else if (place != UnitLimit.NOWHERE) {
      replace(place, values, label);
    }
  }

  private void add(float[] values, int label) {
    if (rows == labels.length) {
      int capacity = Math.min(RowBlocks.BLOCK_ROWS, Math.max(FIRST_ROWS, 2 * rows));
      raw = Arrays.copyOf(raw, capacity * inputs);
      labels = Arrays.copyOf(labels, capacity);
    }
    System.arraycopy(values, 0, raw, rows * inputs, inputs);
    labels[rows] = label;
    rows++;
    if (rows == RowBlocks.BLOCK_ROWS) {
      closeBlock();
    }
  }

  private void replace(int place, float[] values, int label) {
    int block = place / RowBlocks.BLOCK_ROWS;
    int row = place % RowBlocks.BLOCK_ROWS;
    if (block == blocks.size()) {
      System.arraycopy(values, 0, raw, row * inputs, inputs);
      labels[row] = label;
    } else {
      RowMap map = one == null ? pipeline.open(inputs) : one;
      one = map;
      map.apply(values, 0, blocks.get(block).features(), row * columns);
      blocks.get(block).labels()[row] = label;
    }
  }

  private void closeBlock() {
    if (rows > 0) {
      blocks.add(
          new Block(
              BlockMap.apply(pipeline, raw, labels, rows, inputs), Arrays.copyOf(labels, rows)));
      rows = 0;
    }
  }
}
