package io.mutune.trainer.format;

import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Table;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form of rows: how a file of them is read, apart from labels.
 *
 * @param csv of delimited text and of lists of pictures; of no meaning for other formats
 * @param features how many columns a row has without its label, 1 to {@link #MAX_FEATURES}, before
 *     any feature map; null where it is for the file to say
 * @param table the columns by name and type; null where they are numbers, and one the label
 * @param images what every picture becomes, and where a list names them; of pictures alone
 */
public record RowForm(
    DataFormat format,
    CsvLayout csv,
    @Nullable Integer features,
    @Nullable Table table,
    @Nullable ImageSource images)
    implements Serializable {
  /** So many that a block of rows, a few thousand, is one array. */
  public static final int MAX_FEATURES = (1 << 19) - 1;

  public RowForm {
    if (features != null && (features < 1 || features > MAX_FEATURES)) {
      throw new IllegalArgumentException(
          "features must be from 1 to " + MAX_FEATURES + "; was " + features);
    }
    if (table == null ? format.needsTable() : !format.takesTable()) {
      throw new IllegalArgumentException(
          format.key()
              + (table == null
                  ? " needs its columns by name and type"
                  : " has numbers in its columns, and no names or types"));
    }
    if (table != null && !Objects.equals(features, table.width())) {
      throw new IllegalArgumentException(
          "a row of the table becomes " + table.width() + " numbers, not " + features);
    }
    if ((format == DataFormat.IMAGES) != (images != null)) {
      throw new IllegalArgumentException("images, and they alone, need their public size");
    }
    if (images != null && !Objects.equals(features, images.numbers())) {
      throw new IllegalArgumentException(
          "a picture becomes " + images.numbers() + " numbers, not " + features);
    }
  }

  /** Columns that are numbers. */
  public static RowForm ofNumbers(DataFormat format, CsvLayout csv, @Nullable Integer features) {
    return new RowForm(format, csv, features, null, null);
  }

  /** Columns by name and type. */
  public static RowForm ofTable(DataFormat format, CsvLayout csv, Table table) {
    return new RowForm(format, csv, table.width(), table, null);
  }

  /**
   * Pictures, each a file.
   *
   * @param csv of lists of them
   */
  public static RowForm ofImages(CsvLayout csv, ImageSource images) {
    return new RowForm(DataFormat.IMAGES, csv, images.numbers(), null, images);
  }

  /** The layout of delimited text of which nothing is known; without a label. */
  public static CsvLayout usualLayout(DataFormat format, boolean isTable) {
    return new CsvLayout(format.usualDelimiter(), isTable, new LabelColumn.None());
  }

  /** The number of features, which is stated. */
  public int width() {
    return Objects.requireNonNull(features, "no number of features is stated");
  }

  /** The encoders of a row, in the order of their columns. */
  public List<EncoderReference> encoders() {
    if (images != null) {
      return images.encoder().stream().toList();
    }
    return table == null ? List.of() : table.encoders();
  }
}
