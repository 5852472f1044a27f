package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts into a row what frozen networks make of it: of that row alone, whichever thread asks. */
interface RowEncoder extends AutoCloseable {
  /** A text of a row, and where its numbers go. */
  record Text(int column, String text, int at) {
    long bytes() {
      return (long) Character.BYTES * text.length();
    }
  }

  /** How many numbers rows of so many then have. */
  int columns(int read);

  /** The texts of the row that was read last; none where pictures are encoded. */
  List<Text> texts(TableEncoder cells);

  /**
   * A row as it is encoded. Several threads may call it at the same time.
   *
   * @param values as they were read; may be changed
   * @throws DataFormatException if a network cannot take it
   */
  float[] encode(float[] values, List<Text> texts) throws DataFormatException;

  @Override
  void close();

  /**
   * Of rows that have an encoder.
   *
   * @param known where encoders are opened
   * @throws IOException if it is not there, or is another one
   */
  static RowEncoder of(RowSpec spec, Encoders known) throws IOException {
    ImageSource images = spec.images();
    if (images != null) {
      return new Pictures(spec.file(), known.openPictures(images.encoder().orElseThrow()));
    }
    Table table = spec.table();
    if (table == null) {
      throw new IllegalArgumentException("rows of numbers have no encoder");
    }
    Map<Integer, TextEncoder> encoders = new LinkedHashMap<>();
    try {
      for (int i = 0; i < table.texts().size(); i++) {
        encoders.put(table.texts().get(i), known.openTexts(table.encoders().get(i)));
      }
    } catch (IOException | RuntimeException e) {
      encoders.values().forEach(TextEncoder::close);
      throw e;
    }
    return new Texts(spec.file(), table, encoders);
  }

  /** Rows with columns of type text. */
  record Texts(Path file, Table table, Map<Integer, TextEncoder> encoders) implements RowEncoder {
    @Override
    public int columns(int read) {
      return read;
    }

    @Override
    public List<Text> texts(TableEncoder cells) {
      return encoders.keySet().stream()
          .map(column -> new Text(column, cells.text(column), cells.start(column)))
          .toList();
    }

    @Override
    public float[] encode(float[] values, List<Text> texts) throws DataFormatException {
      for (Text text : texts) {
        TextEncoder encoder = encoders.get(text.column());
        if (encoder != null) {
          encode(encoder, text, values);
        }
      }
      return values;
    }

    private void encode(TextEncoder encoder, Text text, float[] values) throws DataFormatException {
      if (!NetworkCall.takes(
          () -> encoder.encode(text.text(), values, text.at()),
          () -> encoder.encode(TextEncoder.ANY_TEXT, new float[encoder.width()], 0))) {
        throw DataFormatException.in(
            file,
            "column '"
                + table.columns().get(text.column()).name()
                + "' has a text that its encoder cannot take");
      }
    }

    @Override
    public void close() {
      encoders.values().forEach(TextEncoder::close);
    }
  }

  /** Rows that are pictures. */
  record Pictures(Path file, PictureEncoder encoder) implements RowEncoder {
    @Override
    public int columns(int read) {
      return encoder.width();
    }

    @Override
    public List<Text> texts(TableEncoder cells) {
      return List.of();
    }

    @Override
    public float[] encode(float[] values, List<Text> texts) throws DataFormatException {
      List<float[]> encoded = new ArrayList<>();
      if (!NetworkCall.takes(
          () -> encoded.add(encoder.encode(values)),
          () -> encoder.encode(new float[values.length]))) {
        throw DataFormatException.in(file, "has a picture that its encoder cannot take");
      }
      return encoded.get(0);
    }

    @Override
    public void close() {
      encoder.close();
    }
  }
}
