package io.mutune.trainer.data;

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
        PartsReader {
  /**
   * Reads the file from its start to the end of the range.
   *
   * @return how many rows were passed, those outside the range included
   * @throws DataFormatException if the file is not what the description says
   */
  long read(RowSink sink) throws IOException;

  static RowReader of(RowSpec spec) {
    if (spec instanceof DataSpec data && !data.more().isEmpty()) {
      return new PartsReader(data);
    }
    return spec.format().reader(spec);
  }
}
