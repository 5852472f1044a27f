package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts a file's rows and hands those of the range to the sink. */
final class RowFeed {
  /** Turns what was read of one row into numbers. */
  @FunctionalInterface
  interface Parser {
    /**
     * Fills every element of {@code values} and returns the class index or {@link
     * RowSpec#UNLABELLED}.
     */
    int parse(float[] values) throws DataFormatException;
  }

  private final @Nullable RowRange range;
  private final RowSink sink;
  private final float[] values;
  private long position;

  RowFeed(@Nullable RowRange range, int columns, RowSink sink) throws DataFormatException {
    this.range = range;
    this.sink = sink;
    this.values = new float[columns];
    sink.begin(columns);
  }

  /** How many rows were taken, those outside the range included. */
  long position() {
    return position;
  }

  /** Whether the rest of the file is outside the range. */
  boolean done() {
    return range != null && position >= range.last();
  }

  /** Takes the next row, and leaves it unparsed where it is outside the range. */
  void next(Parser parser) throws DataFormatException {
    next(parser, () -> null);
  }

  /**
   * The same of rows that have units or names: {@link RowSink#row}.
   *
   * @param unit asked for once the row is parsed
   */
  void next(Parser parser, Supplier<@Nullable String> unit) throws DataFormatException {
    position++;
    if (range != null && !range.contains(position)) {
      return;
    }
    int label;
    try {
      label = parser.parse(values);
    } catch (DataFormatException problem) {
      sink.done();
      sink.malformed(problem);
      return;
    }
    sink.done();
    sink.row(values, label, unit.get());
  }
}
