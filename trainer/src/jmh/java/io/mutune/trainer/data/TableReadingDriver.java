package io.mutune.trainer.data;

import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;

import blue.strategic.parquet.Hydrator;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * How fast a million rows of a mixed table are read, beside the fastest reader of each format that
 * makes no numbers: FastCSV's records, Jackson's tokens with their texts, Parquet's rows by
 * parquet-floor. Both sides take turns in one process; printed are the least times and their ratio.
 */
public final class TableReadingDriver {
  private static final int ROWS = 1_000_000;
  private static final int ROUNDS = 8;
  private static final List<String> JOBS =
      List.of("clerk", "manager", "nurse", "teacher", "driver", "farmer", "cook", "smith");
  private static final CsvLayout HEADED = CsvLayout.ofTable(',', true, false, 0);
  private static final CsvLayout TABBED = CsvLayout.ofTable('\t', false, false, 0);

  private TableReadingDriver() {}

  private interface Reading {
    long read() throws IOException;
  }

  /**
   * @param args the folder where the files are made, if they are not there
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path csv = folder.resolve("million.csv");
    Path quoted = folder.resolve("million-quoted.csv");
    Path tsv = folder.resolve("million.tsv");
    Path jsonl = folder.resolve("million.jsonl");
    Path parquet = folder.resolve("million.parquet");
    if (!Files.exists(parquet)) {
      TableFiles files = files();
      files.csv(csv);
      files.tsv(tsv);
      files.jsonl(jsonl);
      Files.writeString(
          quoted, Files.readString(csv).replaceAll("(?m)([a-z]+)(?=,)", "\"$1\""));
      files.parquet(parquet);
    }
    // Once for the compiler.
    compare("warm-up", csv, ours(csv, DataFormat.CSV, HEADED), () -> fastCsv(csv, HEADED));
    compare("csv", csv, ours(csv, DataFormat.CSV, HEADED), () -> fastCsv(csv, HEADED));
    compare(
        "csv, texts in quotes",
        quoted,
        ours(quoted, DataFormat.CSV, HEADED),
        () -> fastCsv(quoted, HEADED));
    compare("tsv", tsv, ours(tsv, DataFormat.TSV, TABBED), () -> fastCsv(tsv, TABBED));
    compare("jsonl", jsonl, ours(jsonl, DataFormat.JSONL, HEADED), () -> jackson(jsonl));
    compare("parquet", parquet, ours(parquet, DataFormat.PARQUET, HEADED), () -> floor(parquet));
  }

  private static void compare(String name, Path file, Reading ours, Reading theirs)
      throws IOException {
    double mine = Double.POSITIVE_INFINITY;
    double other = Double.POSITIVE_INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
      mine = Math.min(mine, seconds(ours));
      other = Math.min(other, seconds(theirs));
    }
    System.out.printf(
        Locale.ROOT,
        "%-22s %4d MB  ours %.3f s, %.2f million rows/s; alone %.3f s; ours has %.2f of its speed%n",
        name,
        Files.size(file) >> 20,
        mine,
        ROWS / mine / 1e6,
        other,
        other / mine);
  }

  private static double seconds(Reading reading) throws IOException {
    long start = System.nanoTime();
    long rows = reading.read();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (rows != ROWS) {
      throw new IllegalStateException("read " + rows + " rows");
    }
    return seconds;
  }

  private static TableFiles files() {
    Random random = new Random(18);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      @Nullable Object[] row = new Object[12];
      row[0] = (long) (17 + random.nextInt(73));
      for (int j = 1; j < 7; j++) {
        row[j] = random.nextInt(1_000_000) / 1e4;
      }
      for (int j = 7; j < 11; j++) {
        row[j] = JOBS.get(random.nextInt(JOBS.size()));
      }
      row[11] = random.nextBoolean() ? "yes" : "no";
      rows.add(row);
    }
    return new TableFiles(table().columns().stream().map(Column::name).toList(), rows);
  }

  private static Table table() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("age", new NumberType(new Scaled(17, 90, false, 10), null)));
    for (int j = 1; j < 7; j++) {
      columns.add(new Column("x" + j, new NumberType(new Scaled(0, 100, false, 0), 50.0)));
    }
    for (int j = 7; j < 11; j++) {
      columns.add(new Column("job" + j, new CategoryType(JOBS, true, true)));
    }
    columns.add(new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of())));
    return new Table(columns, List.of("?"), null);
  }

  private static Reading ours(Path file, DataFormat format, CsvLayout layout) {
    DataSpec spec = DataSpec.of(List.of(file), format, layout, table(), null);
    return () -> {
      long[] rows = new long[1];
      RowReader.of(spec)
          .read(
              new RowSink() {
                @Override
                public void begin(int columns) {}

                @Override
                public void row(float[] values, int label, @Nullable String unit) {
                  rows[0]++;
                }
              });
      return rows[0];
    };
  }

  private static long fastCsv(Path file, CsvLayout layout) throws IOException {
    CsvReaderBuilder builder =
        de.siegmar.fastcsv.reader.CsvReader.builder().fieldSeparator(layout.delimiter());
    long fields = 0;
    try (var records = builder.ofCsvRecord(file)) {
      for (CsvRecord record : records) {
        fields += record.getFieldCount();
      }
    }
    return fields / 12 - (layout.header() ? 1 : 0);
  }

  private static long jackson(Path file) throws IOException {
    long rows = 0;
    long length = 0;
    try (InputStream bytes = Files.newInputStream(file);
        JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), bytes)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          rows++;
        } else if (token.isScalarValue()) {
          length += parser.getString().length();
        }
      }
    }
    return length > 0 ? rows : 0;
  }

  private static long floor(Path file) throws IOException {
    try (Stream<int[]> rows =
        blue.strategic.parquet.ParquetReader.streamContent(file.toFile(), new Counting())) {
      return rows.filter(values -> values[0] > 0).count();
    }
  }

  /** Takes every value, boxed as the library hands it on. */
  private static final class Counting implements Hydrator<int[], int[], String[]> {
    @Override
    public int[] start() {
      return new int[1];
    }

    @Override
    public int[] add(int[] row, String[] column, Object value) {
      row[0]++;
      return row;
    }

    @Override
    public int[] finish(int[] row) {
      return row;
    }
  }
}
