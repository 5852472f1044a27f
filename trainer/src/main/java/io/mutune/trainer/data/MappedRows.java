package io.mutune.trainer.data;

import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.NpyFile;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.npy.NpyElement;
import io.mutune.trainer.npy.NpyHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code .npy} files that stay there: a block is read from the mapped file, and its feature
 * maps applied, whenever a pass comes by it. Labels alone are kept in memory. For sets of which
 * {@link RowStorage} says so.
 *
 * <p>Every row is looked at once when the set is opened, so what is wrong with a file shows then
 * and not during training; the files must not change after that.
 */
final class MappedRows {
  /** A mapping reaches at most 2 GiB. */
  private static final int WINDOW_BYTES = 1 << 30;

  private MappedRows() {}

  /**
   * @throws DataFormatException if a file is not what its description says
   */
  static RowBlocks open(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit)
      throws IOException {
    List<Source> sources = new ArrayList<>();
    RowRange range = spec.range();
    long before = 0;
    int inputs = 0;
    for (DataSpec.Part part : spec.parts()) {
      RowRange left = range == null ? null : range.after(before);
      if (range != null && left == null) {
        break;
      }
      Labels labels = new Labels();
      before += RowReader.of(spec.of(part, left)).read(unfit.around(labels));
      if (inputs != 0 && inputs != labels.columns) {
        throw DataFormatException.in(
            part.file(),
            "has " + labels.columns + " columns, where the parts before it have " + inputs);
      }
      inputs = labels.columns;
      sources.add(
          Source.of(
              part.file(),
              left == null ? 0 : left.first() - 1,
              labels.kept(),
              labels.positions(),
              inputs));
    }
    int columns = inputs;
    return RowBlocks.streamed(
        RowCollector.outputs(spec, pipeline, inputs),
        new LazyBlocks(
            sources.stream().mapToInt(Source::blocks).sum(),
            index -> block(sources, index, pipeline, columns)),
        sources.stream().mapToLong(source -> source.labels.length).sum(),
        spec.labelling().size() == Labelling.REAL);
  }

  private static Block block(
      List<Source> sources, int index, FeaturePipeline pipeline, int inputs) {
    int left = index;
    for (Source source : sources) {
      if (left < source.blocks()) {
        return source.block(left, pipeline, inputs);
      }
      left -= source.blocks();
    }
    throw new IndexOutOfBoundsException(index);
  }

  /** Checks all rows and keeps their labels. */
  private static final class Labels implements RowSink {
    private int columns;
    private int[] labels = {};
    private int[] positions = {};
    private int rows;
    private int passed;

    @Override
    public void begin(int columns) {
      this.columns = columns;
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      if (rows == labels.length) {
        labels = Arrays.copyOf(labels, Math.max(RowBlocks.BLOCK_ROWS, 2 * rows));
        positions = Arrays.copyOf(positions, labels.length);
      }
      positions[rows] = passed++;
      labels[rows++] = label;
    }

    @Override
    public void skipped() {
      passed++;
    }

    int[] kept() {
      return Arrays.copyOf(labels, rows);
    }

    int[] positions() {
      return Arrays.copyOf(positions, rows);
    }
  }

  /**
   * The rows of one file.
   *
   * @param windows mappings of {@code windowRows} rows each, the last one of fewer
   * @param first the position of the first row that is meant, from 0
   * @param labels of the rows that are meant and fit
   * @param positions of these rows after {@code first}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Source(
      NpyElement element,
      List<MappedByteBuffer> windows,
      int windowRows,
      long first,
      int[] labels,
      int[] positions) {
    static Source of(Path file, long first, int[] labels, int[] positions, int columns)
        throws IOException {
      NpyHeader header;
      try (NpyFile npy = NpyFile.open(file)) {
        header = npy.header();
      }
      long rowBytes = (long) columns * header.element().bytes();
      int windowRows = (int) Math.max(1, WINDOW_BYTES / rowBytes);
      long rows = header.shape()[0];
      List<MappedByteBuffer> windows = new ArrayList<>();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        for (long row = 0; row < rows; row += windowRows) {
          long length = Math.min(windowRows, rows - row) * rowBytes;
          MappedByteBuffer window =
              channel.map(MapMode.READ_ONLY, header.bytes() + row * rowBytes, length);
          window.order(header.element().order());
          windows.add(window);
        }
      }
      return new Source(header.element(), windows, windowRows, first, labels, positions);
    }

    int blocks() {
      return (labels.length + RowBlocks.BLOCK_ROWS - 1) / RowBlocks.BLOCK_ROWS;
    }

    /** Where a row with a label stands in the file, from 0: the one place that knows. */
    private long position(int kept) {
      return first + positions[kept];
    }

    Block block(int index, FeaturePipeline pipeline, int inputs) {
      int from = index * RowBlocks.BLOCK_ROWS;
      int rows = Math.min(RowBlocks.BLOCK_ROWS, labels.length - from);
      float[] raw = new float[rows * inputs];
      for (int i = 0; i < rows; i++) {
        long row = position(from + i);
        ByteBuffer window = windows.get((int) (row / windowRows));
        int at = (int) (row % windowRows) * inputs * element.bytes();
        for (int j = 0; j < inputs; j++) {
          raw[i * inputs + j] = (float) element.read(window, at + j * element.bytes());
        }
      }
      int[] itsLabels = Arrays.copyOfRange(labels, from, from + rows);
      return new Block(BlockMap.apply(pipeline, raw, itsLabels, rows, inputs), itsLabels);
    }
  }
}
