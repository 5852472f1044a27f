package io.mutune.trainer.format;

import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a reader has to know of the files that it reads. */
public sealed interface RowSpec permits DataSpec, UnlabelledSpec {
  /** In place of the class index, of a row whose label does not matter. */
  int UNLABELLED = -1;

  Path file();

  /** The file of labels; null where the rows' own file has them, or where they do not matter. */
  @Nullable Path labels();

  RowForm form();

  /** What labels may be; null where they do not matter, so that any is skipped and none missed. */
  @Nullable Labelling labelling();

  @Nullable RowRange range();

  default DataFormat format() {
    return form().format();
  }

  default CsvLayout csv() {
    return form().csv();
  }

  default @Nullable Integer features() {
    return form().features();
  }

  default @Nullable Table table() {
    return form().table();
  }

  default @Nullable ImageSource images() {
    return form().images();
  }

  default List<EncoderReference> encoders() {
    return form().encoders();
  }
}
