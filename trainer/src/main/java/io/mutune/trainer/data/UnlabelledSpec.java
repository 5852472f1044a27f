package io.mutune.trainer.data;

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
 */
public record UnlabelledSpec(
    Path file, DataFormat format, CsvLayout csv, Integer features, @Nullable Table table)
    implements RowSpec {
  public UnlabelledSpec {
    DataSpec.checkFeatures(features);
    DataSpec.checkTable(format, features, table);
  }

  /** Columns that are numbers. */
  public UnlabelledSpec(Path file, DataFormat format, CsvLayout csv, Integer features) {
    this(file, format, csv, features, null);
  }

  /** Columns by name and type; those of the label and the unit may be there and are not read. */
  public static UnlabelledSpec of(Path file, DataFormat format, CsvLayout csv, Table table) {
    return new UnlabelledSpec(file, format, csv, table.width(), table);
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
