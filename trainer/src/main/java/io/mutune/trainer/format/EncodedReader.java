package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.RowEncoder.Text;
import io.mutune.trainer.network.EncoderFailedException;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.commons.io.function.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts into rows what encoders make of their texts or pictures. Each row is encoded alone.
 *
 * @param networks are made ready when rows are to be read
 */
public record EncodedReader(
    RowReader reader, IOSupplier<RowEncoder> networks, @Nullable EncodedParts parts)
    implements RowReader {
  /**
   * Of rows that have an encoder.
   *
   * @param known where encoders are opened
   */
  public static EncodedReader of(RowSpec spec, Encoders known) {
    return new EncodedReader(
        RowReader.unencoded(spec, known), () -> RowEncoder.of(spec, known), null);
  }

  /**
   * The same with those of this machine.
   *
   * @param parts that were encoded before, and where more are kept; null for none
   */
  public static EncodedReader of(RowSpec spec, @Nullable EncodedParts parts) {
    return new EncodedReader(
        RowReader.unencoded(spec), () -> RowEncoder.of(spec, EncoderLibrary.usual()), parts);
  }

  @Override
  public long read(RowSink sink) throws IOException {
    try (RowEncoder encoder = networks.get()) {
      ParallelRows together = new ParallelRows(sink, parts);
      long rows = reader.read(new Encoded(together, encoder));
      together.handOn();
      return rows;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof EncoderFailedException failed) {
        throw failed;
      }
      throw e;
    }
  }

  /** Says of each row what is to be encoded. */
  private static final class Encoded implements RowSink {
    private final ParallelRows rows;
    private final RowEncoder encoder;
    private List<Text> texts = List.of();

    Encoded(ParallelRows rows, RowEncoder encoder) {
      this.rows = rows;
      this.encoder = encoder;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      rows.begin(columns, encoder.columns(columns));
    }

    @Override
    public void file(int number) {
      rows.file(number);
    }

    @Override
    public void encoded(TableEncoder cells, Place place) {
      rows.encoded(cells, place);
      texts = encoder.texts(cells);
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
      List<Text> its = texts;
      rows.then(its.stream().mapToLong(Text::bytes).sum(), read -> encoder.encode(read, its));
      rows.row(values, label, unit);
    }

    @Override
    public void malformed(DataFormatException problem) throws DataFormatException {
      rows.malformed(problem);
    }
  }
}
