package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An array of records of one length, of which the first dimension counts the records. */
abstract class RecordFile implements Closeable {
  private final Path file;
  private final String name;
  private final InputStream bytes;
  private final int[] shape;
  private final int columns;
  private long position;

  /** The one that {@link #next} moved to. */
  final ByteBuffer record;

  /**
   * @param name what stands before a problem
   * @param bytes from the first record on
   * @param shape at least one dimension
   */
  RecordFile(
      Path file, String name, InputStream bytes, int[] shape, int elementBytes, ByteOrder order)
      throws DataFormatException {
    this.file = file;
    this.name = name;
    this.bytes = bytes;
    this.shape = shape;
    long product = 1;
    for (int i = 1; i < shape.length; i++) {
      product = Math.min(product * Math.max(shape[i], 0), Integer.MAX_VALUE);
    }
    if (shape[0] < 0 || product < 1 || product > RowForm.MAX_FEATURES) {
      throw problem(
          "has dimensions that are not those of rows with 1 to "
              + RowForm.MAX_FEATURES
              + " columns");
    }
    this.columns = (int) product;
    this.record = ByteBuffer.allocate(columns * elementBytes).order(order);
  }

  /**
   * Reads rows and their labels to the end of the range.
   *
   * @param number what every element of a row is, in words
   * @return how many rows were passed
   */
  static long read(
      RecordFile rows, @Nullable RecordFile labels, RowSpec spec, String number, RowSink sink)
      throws IOException {
    RowFeed feed = new RowFeed(spec.range(), rows.columns(), sink);
    int left = rows.records();
    for (; left > 0 && !feed.done(); left--) {
      rows.next();
      if (labels != null) {
        labels.next();
      }
      feed.next(values -> parse(rows, labels, spec, number, values));
    }
    if (left == 0) {
      rows.expectEnd();
      if (labels != null) {
        labels.expectEnd();
      }
    }
    return feed.position();
  }

  private static int parse(
      RecordFile rows, @Nullable RecordFile labels, RowSpec spec, String number, float[] values)
      throws DataFormatException {
    for (int column = 0; column < values.length; column++) {
      values[column] = (float) rows.element(column);
      if (!Float.isFinite(values[column]) && !(spec.labelling() instanceof KeptCodes)) {
        throw rows.problemHere("column " + (column + 1) + " is not a " + number);
      }
    }
    Labelling labelling = spec.labelling();
    if (labels == null || labelling == null) {
      return RowSpec.UNLABELLED;
    }
    return labelling
        .codeOf(labels.element(0))
        .orElseThrow(() -> labels.problemHere(labelling.fault().strip()));
  }

  int dimensions() {
    return shape.length;
  }

  public int records() {
    return shape[0];
  }

  /** How many elements a record has. */
  public int columns() {
    return columns;
  }

  abstract double element(int column);

  public void next() throws IOException {
    position++;
    if (bytes.readNBytes(record.array(), 0, record.capacity()) < record.capacity()) {
      throw problem("ends before record " + position + " does");
    }
  }

  private void expectEnd() throws IOException {
    if (bytes.read() >= 0) {
      throw problem("goes on after its last record");
    }
  }

  void expectColumns(@Nullable Integer features) throws DataFormatException {
    if (features != null && features != columns) {
      throw problem("has " + columns + " columns instead of " + features);
    }
  }

  private DataFormatException problemHere(String text) {
    return problem("record " + position + ": " + text);
  }

  final DataFormatException problem(String text) {
    return DataFormatException.in(file, name + text);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
