package io.mutune.trainer.check;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.FileKind;
import io.mutune.trainer.format.InputFile;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.format.TableForm;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.HashedType;
import io.mutune.trainer.table.IgnoredType;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a file looks like, as a start for the table that its owner writes. <strong>Read from the
 * rows, so private</strong>, until the owner confirms that it is public knowledge.
 *
 * @param delimiter of no meaning but for CSV and TSV, as {@code header} and {@code skipLines} are
 * @param header whether a line names the columns
 * @param headerIsSure whether that line can be no row
 * @param skipLines lines at the head that look like no row
 * @param missing texts that look like missing values, beside the empty one
 * @param rows how many there are
 * @param problems what of the file is not in the draft, in sentences for whoever holds it
 */
public record TableDraft(
    DataFormat format,
    char delimiter,
    boolean header,
    boolean headerIsSure,
    int skipLines,
    List<String> missing,
    List<DraftColumn> columns,
    long rows,
    List<String> problems) {
  public TableDraft {
    problems = List.copyOf(problems);
    missing = List.copyOf(missing);
    columns = List.copyOf(columns);
  }

  /**
   * Reads the file twice: for its form, and for its cells.
   *
   * @throws DataFormatException if it is none of the formats with named columns
   * @throws IOException if it is missing or cannot be read
   */
  public static TableDraft read(Path file) throws IOException {
    InputFile.checkReadable(file);
    TableForm form = TableForm.of(file);
    Table table = table(file, form);
    RowForm rows = RowForm.ofTable(form.format(), form.layout(), table);
    Optional<String> mistaken = FileKind.mistaken(file, rows);
    if (mistaken.isPresent()) {
      throw DataFormatException.in(file, mistaken.get());
    }
    Tally tally = new Tally(form.columns());
    RowReader.unencoded(new UnlabelledSpec(file, rows)).read(tally);
    if (tally.rows + tally.unread == 0) {
      throw DataFormatException.in(file, "has no row to draft a card from");
    }
    Set<String> missing = new TreeSet<>();
    tally.columns.forEach(column -> missing.addAll(column.missingWords()));
    return new TableDraft(
        form.format(),
        form.layout().delimiter(),
        form.layout().header(),
        form.headerIsSure(),
        form.layout().skipLines(),
        List.copyOf(missing),
        tally.columns.stream().map(DraftTally::column).toList(),
        tally.rows,
        problems(file, form.format(), tally));
  }

  private static List<String> problems(Path file, DataFormat format, Tally tally)
      throws IOException {
    List<String> problems = new ArrayList<>();
    DataFormatException first = tally.firstUnread;
    if (first != null) {
      problems.add(
          "lines that are not read: %d, the first since %s (private: for whoever holds the file)"
              .formatted(tally.unread, first.getMessage()));
    }
    DataCheck.otherEncoding(file, format).ifPresent(problems::add);
    return problems;
  }

  /** Takes every cell as it is: what it becomes is of no use, what the tally sees of it is. */
  private static Table table(Path file, TableForm form) throws DataFormatException {
    HashedType any = new HashedType(2, true);
    int most = RowForm.MAX_FEATURES / any.width();
    if (form.columns().size() > most) {
      throw DataFormatException.in(
          file,
          "has %d columns; a card is drafted for %d at most"
              .formatted(form.columns().size(), most));
    }
    try {
      return Table.of(
          form.columns().stream()
              .map(column -> new Column(column.name(), column.isFlat() ? any : new IgnoredType()))
              .toArray(Column[]::new));
    } catch (IllegalArgumentException e) {
      throw DataFormatException.in(
          file, "has no column of use, one without a name, or two of one name");
    }
  }

  private static final class Tally implements RowSink {
    private final List<DraftTally> columns = new ArrayList<>();
    private long rows;
    private long unread;
    private @Nullable DataFormatException firstUnread;

    Tally(List<TableForm.Named> named) {
      named.forEach(column -> columns.add(new DraftTally(column.name(), column.isFlat())));
    }

    @Override
    public void begin(int columns) {}

    @Override
    public void encoded(TableEncoder cells, Place place) {
      for (int i = 0; i < columns.size(); i++) {
        if (cells.isRead(i)) {
          columns.get(i).take(cells.cell(i));
        }
      }
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      rows++;
    }

    @Override
    public void malformed(DataFormatException problem) {
      unread++;
      firstUnread = firstUnread == null ? problem : firstUnread;
    }
  }
}
