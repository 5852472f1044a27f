package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.table.Table;
import java.util.List;

/** A file of rows whose labels are read too, to judge a model by. */
final class LabelledFile {
  private LabelledFile() {}

  /**
   * The same rows with their labels.
   *
   * @param rows the file, as it is described where labels do not matter
   * @throws UsageException if it has no labels
   */
  static DataSpec of(StoredModel stored, UnlabelledSpec rows) {
    if (rows.format().hasLabelFile()) {
      throw new UsageException(
          "--metrics needs labels in FILE, and %s keeps them in another file"
              .formatted(rows.format().key()));
    }
    LabelColumn given = rows.csv().label();
    LabelColumn label = given instanceof LabelColumn.IfPresent known ? known.column() : given;
    if (rows.format().isDelimited() && rows.table() == null && !label.required()) {
      throw new UsageException("--metrics needs labels: name their column with --label");
    }
    CsvLayout as = rows.csv();
    CsvLayout csv =
        new CsvLayout(as.delimiter(), as.header(), label, as.lineBreaks(), as.skipLines());
    Table table = rows.table() == null ? null : rows.table().withoutUnit();
    RowForm form = new RowForm(rows.format(), csv, rows.features(), table, rows.images());
    return DataSpec.of(List.of(rows.file()), form, stored.labelling(), null);
  }
}
