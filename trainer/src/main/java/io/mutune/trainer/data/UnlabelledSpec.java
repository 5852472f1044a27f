package io.mutune.trainer.data;

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
 */
public record UnlabelledSpec(Path file, DataFormat format, CsvLayout csv, Integer features)
    implements RowSpec {
  public UnlabelledSpec {
    DataSpec.checkFeatures(features);
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
