package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.TableEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose numbers take long to work out: several at a time, each by itself, and handed on in the
 * order in which they came. What becomes of a row does not depend on those beside it.
 */
final class ParallelRows implements RowSink {
  /** As many as keep every core at work; their numbers are what memory is needed for. */
  private static final int MOST_ROWS = 512;

  /** Fewer where rows are large pictures: 32 MiB of pixels. */
  private static final int MOST_NUMBERS = 1 << 23;

  private static final int FEWEST_ROWS = 32;

  /** Of what they are made from, such as files of pictures. */
  static final long MOST_BYTES = 1 << 25;

  private static final Work NOTHING = values -> values;

  private final RowSink sink;
  private final @Nullable EncodedParts parts;
  private final List<Row> rows = new ArrayList<>();
  private int most = MOST_ROWS;
  private Work next = NOTHING;
  private long bytes;
  private int columns;
  private int part;
  private int file;

  ParallelRows(RowSink sink) {
    this(sink, null);
  }

  /**
   * Whose rows are kept as they are worked out.
   *
   * @param parts that were worked out before, and where more are kept; null for none
   */
  ParallelRows(RowSink sink, @Nullable EncodedParts parts) {
    this.sink = sink;
    this.parts = parts;
  }

  /** What is left to do for a row. */
  @FunctionalInterface
  interface Work {
    /**
     * The row's numbers, worked out by whichever thread is free.
     *
     * @param values as they were read; may be changed
     * @throws DataFormatException if the row turns out not to fit
     */
    float[] of(float[] values) throws DataFormatException;
  }

  /** One that fits so far, or the problem of one that does not. */
  private static final class Row {
    private final int label;
    private final @Nullable String unit;
    private final Work work;
    private final int file;
    private float[] values;
    private boolean isFinished;
    private @Nullable DataFormatException problem;

    Row(float[] values, int label, @Nullable String unit, Work work, int file) {
      this.values = values;
      this.label = label;
      this.unit = unit;
      this.work = work;
      this.file = file;
    }

    void finish() {
      if (isFinished || problem != null) {
        return;
      }
      try {
        finish(work.of(values));
      } catch (DataFormatException e) {
        problem = e;
      }
    }

    void finish(float[] itsValues) {
      values = itsValues;
      isFinished = true;
    }
  }

  /**
   * What the next row needs; asked for before it is told.
   *
   * @param held bytes that the work holds until it is done
   */
  void then(long held, Work work) {
    next = work;
    bytes += held;
  }

  @Override
  public void begin(int columns) throws DataFormatException {
    begin(columns, columns);
  }

  /**
   * The same where the work changes how many numbers a row has.
   *
   * @param finished how many it has then
   */
  void begin(int columns, int finished) throws DataFormatException {
    // The same on every machine, since parts are as long.
    most = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, MOST_NUMBERS / columns));
    this.columns = finished;
    sink.begin(finished);
  }

  @Override
  public void file(int number) {
    file = number;
  }

  @Override
  public void encoded(TableEncoder cells, Place place) {
    sink.encoded(cells, place);
  }

  @Override
  public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
    add(new Row(values.clone(), label, unit, next, file));
  }

  @Override
  public void malformed(DataFormatException problem) throws DataFormatException {
    Row unfit = new Row(new float[0], RowSpec.UNLABELLED, null, NOTHING, file);
    unfit.problem = problem;
    add(unfit);
  }

  private void add(Row row) throws DataFormatException {
    rows.add(row);
    next = NOTHING;
    if (rows.size() >= most || bytes >= MOST_BYTES) {
      handOn();
    }
  }

  /** Hands on those that still wait. */
  void handOn() throws DataFormatException {
    boolean known = parts != null && find(parts);
    finishAll();
    if (parts != null && !known) {
      keep(parts);
    }
    part++;
    for (Row row : rows) {
      sink.file(row.file);
      if (row.problem == null) {
        sink.row(row.values, row.label, row.unit);
      } else {
        sink.malformed(row.problem);
      }
    }
    rows.clear();
    bytes = 0;
  }

  /** Whether these rows were worked out before. */
  private boolean find(EncodedParts parts) {
    List<float @Nullable []> found = parts.find(part, rows.size(), columns);
    for (int i = 0; i < found.size(); i++) {
      float[] values = found.get(i);
      if (values != null) {
        rows.get(i).finish(values);
      }
    }
    return !found.isEmpty();
  }

  private void keep(EncodedParts parts) {
    List<float @Nullable []> finished = new ArrayList<>();
    rows.forEach(row -> finished.add(row.isFinished ? row.values : null));
    parts.keep(part, finished, columns);
  }

  /** Whichever thread is free takes the next row: they differ in how long they take. */
  private void finishAll() {
    AtomicInteger taken = new AtomicInteger();
    IntStream.rangeClosed(0, ForkJoinPool.getCommonPoolParallelism())
        .parallel()
        .forEach(
            thread -> {
              for (int i = taken.getAndIncrement(); i < rows.size(); i = taken.getAndIncrement()) {
                Row row = rows.get(i);
                if (row.isFinished) {
                  sink.doneBefore();
                } else {
                  row.finish();
                  sink.done();
                }
              }
            });
  }
}
