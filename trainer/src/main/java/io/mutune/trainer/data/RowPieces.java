package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps the rows of a file and hands them on in pieces, each to the part of its bucket. */
final class RowPieces implements RowSink {
  /** Features of all pieces together that are not handed on yet. */
  private static final int MOST_FLOATS = 4 << 20;

  private static final int FIRST_ROWS = 1;

  private final int file;
  private final Path path;
  private final FeaturePipeline pipeline;
  private final @Nullable UnitLimit limit;
  private final RowBuckets buckets;
  private final int parts;
  private final RowFiles.Taker taker;
  private final int inputs;
  private final float[] mapped;
  private final Map<Integer, Open> open = new TreeMap<>();
  private RowMap map = (in, inOffset, out, outOffset) -> {};
  private int floats;
  private int pieces;

  /** A piece that is being filled. */
  private static final class Open {
    private float[] features = {};
    private int[] labels = {};
    private @Nullable String[] units = {};
    private long[] tags = {};
    private int rows;
  }

  /**
   * @param inputs columns of the rows in every file
   * @param table whose rows they are; null where they have no typed columns
   */
  RowPieces(
      int file,
      Path path,
      FeaturePipeline pipeline,
      int inputs,
      @Nullable Table table,
      RowBuckets buckets,
      int parts,
      RowFiles.Taker taker) {
    this.file = file;
    this.path = path;
    this.pipeline = pipeline;
    this.limit = UnitLimit.of(table);
    if (limit != null) {
      limit.file(file);
    }
    this.buckets = buckets;
    this.parts = parts;
    this.taker = taker;
    this.inputs = inputs;
    this.mapped = new float[pipeline.outputs(inputs)];
  }

  @Override
  public void begin(int columns) throws DataFormatException {
    if (columns != inputs) {
      throw DataFormatException.in(
          path, "has %d columns, which is not what the first file has".formatted(columns));
    }
    map = pipeline.open(columns);
  }

  @Override
  public void row(float[] values, int label, @Nullable String unit) {
    long tag = 0;
    if (limit != null) {
      if (unit == null) {
        return; // it counts for nobody
      }
      tag = limit.tag(unit);
      if (limit.place(unit, tag) == UnitLimit.NOWHERE) {
        return; // so many rows of this file count before it
      }
    }
    map.apply(values, 0, mapped, 0);
    if (label == RowBlocks.NO_LABEL) {
      Arrays.fill(mapped, 0);
    }
    int bucket =
        unit == null
            ? buckets.ofNumbers(mapped, 0, mapped.length)
            : buckets.ofName(UnitLimit.name(unit));
    int part = (int) ((long) bucket * parts / buckets.count());
    add(part, open.computeIfAbsent(part, none -> new Open()), label, unit, tag);
  }

  private void add(int part, Open piece, int label, @Nullable String unit, long tag) {
    if (piece.rows == piece.labels.length) {
      int capacity = Math.min(RowBlocks.BLOCK_ROWS, Math.max(FIRST_ROWS, 2 * piece.rows));
      piece.features = Arrays.copyOf(piece.features, Math.multiplyExact(capacity, mapped.length));
      piece.labels = Arrays.copyOf(piece.labels, capacity);
      piece.units = Arrays.copyOf(piece.units, capacity);
      piece.tags = Arrays.copyOf(piece.tags, capacity);
    }
    System.arraycopy(mapped, 0, piece.features, piece.rows * mapped.length, mapped.length);
    piece.labels[piece.rows] = label;
    piece.tags[piece.rows] = tag;
    piece.units[piece.rows++] = unit;
    floats += mapped.length;
    if (piece.rows == RowBlocks.BLOCK_ROWS) {
      open.remove(part);
      handOn(part, piece);
    } else if (floats >= MOST_FLOATS) {
      handOnAll();
    }
  }

  private void handOnAll() {
    open.forEach(this::handOn);
    open.clear();
  }

  private void handOn(int part, Open piece) {
    floats -= piece.rows * mapped.length;
    String[] units = new String[piece.rows];
    for (int i = 0; limit != null && i < units.length; i++) {
      units[i] = String.valueOf(piece.units[i]);
    }
    taker.take(
        part,
        new RowPiece(
            file,
            pieces++,
            Arrays.copyOf(piece.features, piece.rows * mapped.length),
            Arrays.copyOf(piece.labels, piece.rows),
            limit == null ? null : units,
            limit == null ? null : Arrays.copyOf(piece.tags, piece.rows),
            0,
            null));
  }

  /** Hands on what is left, and how many rows did not fit. */
  void finish(long unfit) {
    handOnAll();
    taker.take(parts, RowPiece.ofUnfit(file, pieces, unfit));
  }
}
