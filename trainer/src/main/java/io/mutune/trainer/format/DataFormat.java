package io.mutune.trainer.format;

import io.mutune.trainer.network.Encoders;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a file holds its rows. Whether it is gzipped shows in its content, not here. */
public enum DataFormat {
  CSV(Columns.NUMBERS_OR_TABLE),
  IDX(Columns.NUMBERS),
  IMAGES(Columns.NUMBERS),
  JSONL(Columns.TABLE),
  LIBSVM(Columns.NUMBERS),
  NPY(Columns.NUMBERS),
  NPZ(Columns.NUMBERS),
  PARQUET(Columns.TABLE),
  TSV(Columns.TABLE);

  private enum Columns {
    NUMBERS,
    TABLE,
    NUMBERS_OR_TABLE
  }

  private final Columns columns;

  DataFormat(Columns columns) {
    this.columns = columns;
  }

  /**
   * Reads rows of this form.
   *
   * @param known where encoders are, of which one may say what size pictures have
   */
  RowReader reader(RowSpec spec, Encoders known) {
    return switch (this) {
      case CSV, TSV -> new CsvReader(spec);
      case IDX -> new IdxReader(spec);
      case IMAGES -> ImagesReader.of(spec, known);
      case JSONL -> new JsonLinesReader(spec);
      case LIBSVM -> new LibsvmReader(spec);
      case NPY, NPZ -> new NpyReader(spec);
      case PARQUET -> new ParquetReader(spec);
    };
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
    String known = Arrays.stream(values()).map(DataFormat::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("unknown format '" + key + "'; known: " + known);
  }
}
