package io.mutune.orchestrator.document;

import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.table.Table;
import java.util.Optional;

/**
 * The form of the rows that a model learned from, and so of the next ones most likely.
 *
 * @param csv for other formats the usual one, with no label column
 * @param features how many columns a row has without its label, before any feature map
 * @param table the columns by name and type; empty where they are numbers
 * @param images what every picture becomes; empty where rows are no pictures
 */
public record RowForm(
    DataFormat format,
    CsvLayout csv,
    int features,
    Optional<Table> table,
    Optional<ImageSource> images) {
  /** Of rows in a format that the training rows did not have. */
  public static CsvLayout usualLayout(DataFormat format, Optional<Table> table) {
    return new CsvLayout(format.usualDelimiter(), table.isPresent(), new LabelColumn.None());
  }
}
