package io.mutune.trainer.format;

import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The description of rows whose labels do not matter, such as those to predict on. CSV has the
 * label column that its layout tells of, which is skipped unread; IDX needs no file of labels; a
 * line of LIBSVM may begin with a label or not.
 *
 * @param csv of no meaning for other formats
 * @param features how many columns a row must have without its label, 1 to {@link
 *     DataSpec#MAX_FEATURES}
 * @param table the columns by name and type; null where they are numbers
 * @param images of pictures, and of them alone
 */
public record UnlabelledSpec(
    Path file,
    DataFormat format,
    CsvLayout csv,
    Integer features,
    @Nullable Table table,
    @Nullable ImageSource images)
    implements RowSpec {
  public UnlabelledSpec {
    DataSpec.checkFeatures(features);
    DataSpec.checkTable(format, features, table);
    DataSpec.checkImages(format, features, images);
  }

  /** Columns that are numbers. */
  public UnlabelledSpec(Path file, DataFormat format, CsvLayout csv, Integer features) {
    this(file, format, csv, features, null, null);
  }

  /** Columns by name and type; those of the label and the unit may be there and are not read. */
  public static UnlabelledSpec of(Path file, DataFormat format, CsvLayout csv, Table table) {
    return new UnlabelledSpec(file, format, csv, table.width(), table, null);
  }

  /** Pictures in a folder or a zip, whose own folders do not matter, or those that a list names. */
  public static UnlabelledSpec ofImages(Path place, CsvLayout csv, ImageSource images) {
    return new UnlabelledSpec(place, DataFormat.IMAGES, csv, images.numbers(), null, images);
  }

  @Override
  public @Nullable Path labels() {
    return null;
  }

  @Override
  public @Nullable Labelling labelling() {
    return null;
  }

  @Override
  public @Nullable RowRange range() {
    return null;
  }
}
