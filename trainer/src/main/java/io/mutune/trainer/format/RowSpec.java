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

  DataFormat format();

  CsvLayout csv();

  /** What labels may be; null where they do not matter, so that any is skipped and none missed. */
  @Nullable Labelling labelling();

  @Nullable Integer features();

  /** The columns by name and type; null where they are numbers, and one the label. */
  @Nullable Table table();

  /** Of pictures: what they become, and where a list names them; null for other formats. */
  @Nullable ImageSource images();

  /** The encoders of its rows, in the order of their columns. */
  default List<EncoderReference> encoders() {
    Table table = table();
    ImageSource images = images();
    return images != null
        ? images.encoder().stream().toList()
        : table == null ? List.of() : table.encoders();
  }

  @Nullable RowRange range();
}
