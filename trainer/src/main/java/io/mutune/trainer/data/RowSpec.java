package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a reader has to know of the files that it reads. */
sealed interface RowSpec permits DataSpec, UnlabelledSpec {
  /** In place of the class index, of a row whose label does not matter. */
  int UNLABELLED = -1;

  Path file();

  /** The file of labels; null where the rows' own file has them, or where they do not matter. */
  @Nullable Path labels();

  DataFormat format();

  CsvLayout csv();

  /** What labels may be; null where they do not matter, so that any is skipped and none missed. */
  @Nullable Labelling labelling();

  @Nullable Integer features();

  /** The columns by name and type; null where they are numbers, and one the label. */
  @Nullable Table table();

  /** Of pictures: their size, and where a list names them; null for other formats. */
  @Nullable ImageSource images();

  @Nullable RowRange range();
}
