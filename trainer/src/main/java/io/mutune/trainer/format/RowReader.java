package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.Encoders;
import java.io.IOException;

/**
 * Reads the rows of one file, or of several that are one data set. Private rows are reached through
 * {@code PrivateData} alone, and by what their owner asks of the file (ArchUnit).
 */
public sealed interface RowReader
    permits CsvReader,
        EncodedReader,
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

  /** Of all the numbers of its rows. */
  static RowReader of(RowSpec spec) {
    return of(spec, EncoderLibrary.usual());
  }

  /**
   * The same.
   *
   * @param known where encoders are opened
   */
  static RowReader of(RowSpec spec, Encoders known) {
    return spec.encoders().isEmpty() ? unencoded(spec, known) : EncodedReader.of(spec, known);
  }

  /**
   * The same, with zeros in the place of what encoders make of texts, and pixels in that of what
   * they make of pictures: whether a row fits shows.
   */
  static RowReader unencoded(RowSpec spec) {
    return unencoded(spec, EncoderLibrary.usual());
  }

  /** The same, where encoders are elsewhere. */
  static RowReader unencoded(RowSpec spec, Encoders known) {
    if (spec instanceof DataSpec data && data.parts().size() > 1) {
      return new PartsReader(data, known);
    }
    return spec.format().reader(spec, known);
  }
}
