package io.mutune.trainer.data;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** How a file holds its rows. Whether it is gzipped shows in its content, not here. */
public enum DataFormat {
  CSV(Columns.NUMBERS_OR_TABLE, CsvReader::new),
  IDX(Columns.NUMBERS, IdxReader::new),
  JSONL(Columns.TABLE, JsonLinesReader::new),
  LIBSVM(Columns.NUMBERS, LibsvmReader::new),
  NPY(Columns.NUMBERS, NpyReader::new),
  NPZ(Columns.NUMBERS, NpyReader::new),
  PARQUET(Columns.TABLE, ParquetReader::new),
  TSV(Columns.TABLE, CsvReader::new);

  private enum Columns {
    NUMBERS,
    TABLE,
    NUMBERS_OR_TABLE
  }

  private final Columns columns;
  private final Function<RowSpec, RowReader> reader;

  DataFormat(Columns columns, Function<RowSpec, RowReader> reader) {
    this.columns = columns;
    this.reader = reader;
  }

  /** Reads rows of this form. */
  RowReader reader(RowSpec spec) {
    return reader.apply(spec);
  }

  /** Whether its columns can have names and types. */
  public boolean takesTable() {
    return columns != Columns.NUMBERS;
  }

  /** Whether its columns must have names and types. */
  public boolean needsTable() {
    return columns == Columns.TABLE;
  }

  /** Whether it is a delimited text, which a {@link CsvLayout} describes. */
  public boolean isDelimited() {
    return this == CSV || this == TSV;
  }

  /** What stands between fields unless a layout says otherwise. */
  public char usualDelimiter() {
    return this == TSV ? '\t' : ',';
  }

  /** Whether labels are in a file of their own. */
  public boolean hasLabelFile() {
    return this == IDX || this == NPY;
  }

  /** The word for it in a sweep file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static List<String> keys() {
    return Arrays.stream(values()).map(DataFormat::key).toList();
  }

  /**
   * The format of that key.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DataFormat ofKey(String key) {
    for (DataFormat format : values()) {
      if (format.key().equals(key)) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "unknown format '" + key + "'; known: " + String.join(", ", keys()));
  }
}
