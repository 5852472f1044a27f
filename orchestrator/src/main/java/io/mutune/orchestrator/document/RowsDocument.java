package io.mutune.orchestrator.document;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Table;
import java.util.Map;
import java.util.Optional;

/**
 * The form of the rows that a model takes, as its description has it.
 *
 * @param delimiter of CSV, TSV and lists of images alone, as are header and lineBreaks
 * @param label of CSV whose columns are numbers
 * @param table the columns by name and type, as {@link Table#settings} writes them
 * @param images what every picture becomes
 */
record RowsDocument(
    String format,
    Optional<String> delimiter,
    Optional<Boolean> header,
    Optional<String> label,
    Optional<Boolean> lineBreaks,
    int features,
    Optional<Map<String, Object>> table,
    Optional<Pictures> images) {
  static RowsDocument of(DataSpec spec, int features) {
    boolean isText = spec.format().isDelimited() || Pictures.areListed(spec);
    Optional<CsvLayout> csv = Optional.of(spec.csv()).filter(layout -> isText);
    Optional<Table> table = Optional.ofNullable(spec.table());
    return new RowsDocument(
        spec.format().key(),
        csv.map(layout -> String.valueOf(layout.delimiter())),
        csv.map(CsvLayout::header),
        csv.filter(layout -> table.isEmpty()).map(layout -> layout.label().text()),
        csv.map(CsvLayout::lineBreaks).filter(breaks -> breaks),
        features,
        table.map(Table::settings),
        Optional.ofNullable(spec.images()).map(Pictures::of));
  }

  /**
   * Rows that are files of pictures.
   *
   * @param height of the pixels that they become, as are width and channels
   * @param encoder that they go through in place of that
   * @param file the column of a list that names them
   */
  public record Pictures(
      Optional<Integer> height,
      Optional<Integer> width,
      Optional<Integer> channels,
      Optional<Network> encoder,
      String file) {
    static Pictures of(ImageSource source) {
      Optional<Image> size =
          source.becomes() instanceof ImageSource.Pixels pixels
              ? Optional.of(pixels.size())
              : Optional.empty();
      return new Pictures(
          size.map(Image::height),
          size.map(Image::width),
          size.map(Image::channels),
          source.encoder().map(Network::of),
          source.fileColumn().text());
    }

    static boolean areListed(DataSpec spec) {
      return spec.images() != null && ImageSource.Place.of(spec.file()) == ImageSource.Place.LIST;
    }

    ImageSource source() {
      return new ImageSource(
          encoder.isPresent()
              ? new ImageSource.Encoded(encoder.get().reference())
              : new ImageSource.Pixels(
                  new Image(
                      required("height", height),
                      required("width", width),
                      required("channels", channels))),
          LabelColumn.of(file));
    }
  }

  /** An encoder of pictures. */
  public record Network(String name, String digest, int numbers, Optional<String> source) {
    static Network of(EncoderReference encoder) {
      return new Network(encoder.name(), encoder.digest(), encoder.numbers(), encoder.source());
    }

    EncoderReference reference() {
      return new EncoderReference(EncoderForm.Subject.PICTURE, name, digest, numbers, source);
    }
  }

  /**
   * What they mean.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  RowForm form() {
    DataFormat read = DataFormat.ofKey(format);
    return new RowForm(
        read,
        delimiter.isPresent() || read.isDelimited()
            ? layout()
            : RowForm.usualLayout(read, table.isPresent()),
        features,
        table.map(Table::ofSettings).orElse(null),
        images.map(Pictures::source).orElse(null));
  }

  private CsvLayout layout() {
    String between = required("delimiter", delimiter);
    if (between.length() != 1) {
      throw new IllegalArgumentException("'delimiter' must be one character");
    }
    return new CsvLayout(
        between.charAt(0),
        required("header", header),
        table.isPresent() ? new LabelColumn.None() : LabelColumn.of(required("label", label)),
        lineBreaks.orElse(false),
        0);
  }

  private static <T> T required(String key, Optional<T> value) {
    return value.orElseThrow(() -> new IllegalArgumentException("'" + key + "' is missing"));
  }
}
