package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TableEncoder;
import io.mutune.trainer.table.TextType;
import io.mutune.trainer.text.EncoderLibrary;
import io.mutune.trainer.text.TextEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts into rows what encoders make of their texts. Each text is encoded alone; several rows are at
 * the same time, and are handed on in their order.
 */
record TextReader(RowReader reader, Path file, Table table) implements RowReader {
  /** As many as keep every core at work; their numbers are what memory is needed for. */
  private static final int ROWS_AT_A_TIME = 512;

  @Override
  public long read(RowSink sink) throws IOException {
    Map<Integer, TextEncoder> encoders = new LinkedHashMap<>();
    try {
      for (int column : table.texts()) {
        TextType type = (TextType) table.columns().get(column).type();
        encoders.put(column, EncoderLibrary.usual().open(type.encoder(), type.digest()));
      }
      Waiting waiting = new Waiting(sink, encoders);
      long rows = reader.read(waiting);
      waiting.handOn();
      return rows;
    } finally {
      encoders.values().forEach(TextEncoder::close);
    }
  }

  /** Rows that wait until there are enough of them. */
  private final class Waiting implements RowSink {
    private final RowSink sink;
    private final Map<Integer, TextEncoder> encoders;
    private final List<Row> rows = new ArrayList<>();
    private List<Text> texts = List.of();

    Waiting(RowSink sink, Map<Integer, TextEncoder> encoders) {
      this.sink = sink;
      this.encoders = encoders;
    }

    /** What a column of the row has, and where its numbers go. */
    private record Text(int column, String text, int at) {}

    /** One that fits so far, or the problem of one that does not. */
    private static final class Row {
      private final float[] values;
      private final int label;
      private final @Nullable String unit;
      private final List<Text> texts;
      private @Nullable DataFormatException problem;

      Row(float[] values, int label, @Nullable String unit, List<Text> texts) {
        this.values = values;
        this.label = label;
        this.unit = unit;
        this.texts = texts;
      }
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      sink.begin(columns);
    }

    @Override
    public void encoded(TableEncoder cells) {
      sink.encoded(cells);
      List<Text> found = new ArrayList<>();
      for (int column : encoders.keySet()) {
        found.add(new Text(column, cells.text(column), cells.start(column)));
      }
      texts = found;
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
      add(new Row(values.clone(), label, unit, texts));
    }

    @Override
    public void malformed(DataFormatException problem) throws DataFormatException {
      Row unfit = new Row(new float[0], RowSpec.UNLABELLED, null, List.of());
      unfit.problem = problem;
      add(unfit);
    }

    private void add(Row row) throws DataFormatException {
      rows.add(row);
      if (rows.size() == ROWS_AT_A_TIME) {
        handOn();
      }
    }

    void handOn() throws DataFormatException {
      encodeAll();
      for (Row row : rows) {
        if (row.problem == null) {
          sink.row(row.values, row.label, row.unit);
        } else {
          sink.malformed(row.problem);
        }
      }
      rows.clear();
    }

    /** Whichever thread is free takes the next row: texts differ in length. */
    private void encodeAll() {
      AtomicInteger next = new AtomicInteger();
      IntStream.rangeClosed(0, ForkJoinPool.getCommonPoolParallelism())
          .parallel()
          .forEach(
              thread -> {
                for (int i = next.getAndIncrement(); i < rows.size(); i = next.getAndIncrement()) {
                  encode(rows.get(i));
                }
              });
    }

    private void encode(Row row) {
      for (Text text : row.texts) {
        try {
          TextEncoder encoder = encoders.get(text.column);
          if (encoder != null) {
            encoder.encode(text.text, row.values, text.at);
          }
        } catch (IOException e) {
          row.problem =
              DataFormatException.in(
                  file,
                  "column '"
                      + table.columns().get(text.column).name()
                      + "' has a text that its encoder cannot take");
        }
      }
    }
  }
}
