package io.mutune.orchestrator.display;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table behind a chart, or by itself: the first column names the row.
 *
 * @param rows each with a cell for every column
 */
public record DataTable(List<String> head, List<Row> rows) {
  private static final String MARKS = "[<&*_`~\\[\\\\]";

  public DataTable {
    head = List.copyOf(head);
    rows = List.copyOf(rows);
    int columns = head.size();
    if (rows.stream().anyMatch(row -> row.cells().size() != columns - 1)) {
      throw new IllegalArgumentException("a row has a cell for every column");
    }
  }

  /** One line. */
  public record Row(String name, List<String> cells) {
    private List<String> all() {
      return Stream.concat(Stream.of(name), cells.stream()).toList();
    }
  }

  /** A line for each of some things. */
  public static <T> DataTable of(List<String> head, Collection<T> things, Function<T, Row> line) {
    return new DataTable(head, things.stream().map(line).toList());
  }

  public static Row row(String name, String... cells) {
    return new Row(name, List.of(cells));
  }

  /** The same without the columns that say nothing in any row; a dash says nothing. */
  public DataTable withoutEmptyColumns() {
    int[] kept =
        IntStream.range(0, head.size() - 1)
            .filter(c -> rows.stream().anyMatch(row -> !row.cells().get(c).matches("-?")))
            .toArray();
    List<String> names = new ArrayList<>(head.subList(0, 1));
    Arrays.stream(kept).forEach(c -> names.add(head.get(c + 1)));
    return of(
        names,
        rows,
        row -> new Row(row.name(), Arrays.stream(kept).mapToObj(row.cells()::get).toList()));
  }

  /** For a terminal. */
  @Override
  public String toString() {
    TextTable shown = new TextTable(head.toArray(String[]::new));
    rows.forEach(row -> shown.row(row.all().toArray(String[]::new)));
    return shown.toString();
  }

  /** The same where cells are names that Markdown must not read as its own. */
  public DataTable escaped() {
    return of(escaped(head), rows, row -> new Row(escaped(row.name()), escaped(row.cells())));
  }

  private static List<String> escaped(List<String> cells) {
    return cells.stream().map(DataTable::escaped).toList();
  }

  /** A text that Markdown shows as it is. */
  public static String escaped(String text) {
    return text.replaceAll(MARKS, "\\\\$0");
  }

  /** The text of one that was escaped. */
  public static String unescaped(String text) {
    return text.replaceAll("\\\\(" + MARKS + ")", "$1");
  }

  /** The same in Markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder(line(head));
    text.append("|").append(" --- |".repeat(head.size())).append('\n');
    rows.forEach(row -> text.append(line(row.all())));
    return text.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
