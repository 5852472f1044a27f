package io.mutune.trainer.data;

import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keeps the rows of a file in memory, mapped as they come in. */
final class RowCollector implements RowSink {
  private static final int FIRST_ROWS = 64;

  private final FeaturePipeline pipeline;
  private final List<Block> blocks = new ArrayList<>();
  private int columns;
  private float[] features = {};
  private int[] labels = {};
  private int rows;

  private RowCollector(FeaturePipeline pipeline) {
    this.pipeline = pipeline;
  }

  static RowBlocks collect(DataSpec spec, FeaturePipeline pipeline) throws IOException {
    spec.checkReadable();
    RowCollector collector = new RowCollector(pipeline);
    RowReader.of(spec).read(collector);
    collector.closeBlock();
    return new RowBlocks(
        collector.columns, collector.blocks, spec.labelling().size() == Labelling.REAL);
  }

  @Override
  public void begin(int columns) {
    this.columns = columns;
  }

  @Override
  public void row(float[] values, int label) {
    if (rows == RowBlocks.BLOCK_ROWS) {
      closeBlock();
    }
    if (rows == labels.length) {
      resize(Math.max(FIRST_ROWS, 2 * rows));
    }
    System.arraycopy(values, 0, features, rows * columns, columns);
    pipeline.apply(features, rows * columns, columns);
    labels[rows] = label;
    rows++;
  }

  private void resize(int capacity) {
    features = Arrays.copyOf(features, capacity * columns);
    labels = Arrays.copyOf(labels, capacity);
  }

  private void closeBlock() {
    if (rows == 0) {
      return;
    }
    if (rows < labels.length) {
      resize(rows);
    }
    blocks.add(new Block(features, labels));
    features = new float[0];
    labels = new int[0];
    rows = 0;
  }
}
