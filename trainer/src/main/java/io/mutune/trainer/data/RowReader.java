package io.mutune.trainer.data;

import java.io.IOException;

/**
 * Reads the rows of one file. Not public: private rows are reached through {@link PrivateData}
 * alone.
 */
sealed interface RowReader permits CsvReader, IdxReader, LibsvmReader {
  /**
   * Reads the file from its start to the end of the range.
   *
   * @throws DataFormatException if the file is not what the description says
   */
  void read(RowSink sink) throws IOException;

  static RowReader of(RowSpec spec) {
    return switch (spec.format()) {
      case CSV -> new CsvReader(spec);
      case IDX -> new IdxReader(spec);
      case LIBSVM -> new LibsvmReader(spec);
    };
  }
}
