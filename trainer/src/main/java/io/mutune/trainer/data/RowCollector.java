package io.mutune.trainer.data;

import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.format.RowSpec;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the rows of a file in memory, their features computed a block at a time. */
public final class RowCollector implements RowSink {
  private static final int FIRST_ROWS = 64;

  private final DataSpec spec;
  private final FeaturePipeline pipeline;
  private final List<Block> blocks = new ArrayList<>();
  private int inputs;
  private int columns;
  private float[] raw = {};
  private int[] labels = {};
  private int[] units = {};
  private int rows;
  private final UnitNames names = new UnitNames();
  private final List<int[]> unitsOfBlocks = new ArrayList<>();

  private RowCollector(DataSpec spec, FeaturePipeline pipeline) {
    this.spec = spec;
    this.pipeline = pipeline;
  }

  /** All rows of files that {@link RowStorage} keeps in memory. */
  static RowBlocks collect(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit)
      throws IOException {
    return read(spec, pipeline, unfit).blocks();
  }

  /** The same, and whose rows they are. */
  static RowCollector read(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit)
      throws IOException {
    spec.checkReadable();
    RowCollector collector = new RowCollector(spec, pipeline);
    RowReader.of(spec).read(unfit.around(collector));
    collector.closeBlock();
    return collector;
  }

  RowBlocks blocks() {
    RowBlocks all = new RowBlocks(columns, blocks, spec.labelling().size() == Labelling.REAL);
    Table table = spec.table();
    return table == null || table.unit() == null
        ? all
        : all.withUnits(
            names.kept(
                unitsOfBlocks.stream().flatMapToInt(Arrays::stream).toArray(), table.unitRows()));
  }

  @Override
  public void begin(int columns) throws DataFormatException {
    this.inputs = columns;
    this.columns = outputs(spec, pipeline, columns);
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
  public void row(float[] values, int label, @Nullable String unit) {
    if (rows == labels.length) {
      resize(Math.min(RowBlocks.BLOCK_ROWS, Math.max(FIRST_ROWS, 2 * rows)));
    }
    System.arraycopy(values, 0, raw, rows * inputs, inputs);
    labels[rows] = label;
    units[rows] = names.number(unit);
    rows++;
    if (rows == RowBlocks.BLOCK_ROWS) {
      closeBlock();
    }
  }

  private void resize(int capacity) {
    raw = Arrays.copyOf(raw, capacity * inputs);
    labels = Arrays.copyOf(labels, capacity);
    units = Arrays.copyOf(units, capacity);
  }

  /**
   * For each block the unit of each of its rows: units are numbered from 0 in the order in which
   * their first rows stand, and told apart by their whole text; {@link RowUnits#NONE} where each
   * row is one, and of a slot without a row.
   */
  List<int[]> units() {
    return unitsOfBlocks;
  }

  private void closeBlock() {
    if (rows > 0) {
      blocks.add(
          new Block(
              BlockMap.apply(pipeline, raw, labels, rows, inputs), Arrays.copyOf(labels, rows)));
      unitsOfBlocks.add(Arrays.copyOf(units, rows));
      rows = 0;
    }
  }
}
