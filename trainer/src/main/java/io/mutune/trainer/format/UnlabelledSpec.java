package io.mutune.trainer.format;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The description of rows whose labels do not matter, such as those to predict on. CSV has the
 * label column that its layout tells of, which is skipped unread; IDX needs no file of labels; a
 * line of LIBSVM may begin with a label or not; columns of a table's label and unit may be there
 * and are not read.
 *
 * @param form states the number of features
 */
public record UnlabelledSpec(Path file, RowForm form) implements RowSpec {
  public UnlabelledSpec {
    form.width();
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
