package io.mutune.trainer.format;

import io.mutune.trainer.network.Encoders;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a file holds its rows. Whether it is gzipped shows in its content, not here. */
public enum DataFormat {
  CSV,
  IDX,
  IMAGES,
  JSONL,
  LIBSVM,
  NPY,
  NPZ,
  PARQUET,
  TSV;

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
    return this == CSV || needsTable();
  }

  /** Whether its columns must have names and types. */
  public boolean needsTable() {
    return this == JSONL || this == PARQUET || this == TSV;
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
    List<String> known = Arrays.stream(values()).map(DataFormat::key).toList();
    if (!known.contains(key)) {
      throw new IllegalArgumentException(
          "unknown format '" + key + "'; known: " + String.join(", ", known));
    }
    return values()[known.indexOf(key)];
  }
}
