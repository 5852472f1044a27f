package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import java.io.IOException;

/**
 * Reads the rows of one file, or of several that are one data set. Not public: private rows are
 * reached through {@link PrivateData} alone.
 */
sealed interface RowReader
    permits CsvReader,
        IdxReader,
        ImageListReader,
        ImagesReader,
        JsonLinesReader,
        LibsvmReader,
        NpyReader,
        ParquetReader,
        PartsReader,
        TextReader {
  /**
   * Reads the file from its start to the end of the range.
   *
   * @return how many rows were passed, those outside the range included
   * @throws DataFormatException if the file is not what the description says
   */
  long read(RowSink sink) throws IOException;

  /** Of all the numbers of its rows. */
  static RowReader of(RowSpec spec) {
    Table table = spec.table();
    return table == null || table.texts().isEmpty()
        ? withoutTexts(spec)
        : new TextReader(withoutTexts(spec), spec.file(), table);
  }

  /** The same, with zeros in the place of what encoders make of texts: whether a row fits shows. */
  static RowReader withoutTexts(RowSpec spec) {
    if (spec instanceof DataSpec data && !data.more().isEmpty()) {
      return new PartsReader(data);
    }
    return spec.format().reader(spec);
  }
}
