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
 * A table for a terminal, for a page or behind a chart: the first column names the row.
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

  /** A line of cells, of which the first names it. */
  public static Row row(List<String> cells) {
    return new Row(cells.get(0), cells.subList(1, cells.size()));
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

  /** For a terminal: numbers to the right, words to the left. */
  @Override
  public String toString() {
    List<List<String>> lines = Stream.concat(Stream.of(head), rows.stream().map(Row::all)).toList();
    int columns = head.size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    for (int c = 0; c < columns; c++) {
      numeric[c] = lines.size() > 1;
      for (int r = 0; r < lines.size(); r++) {
        String cell = lines.get(r).get(c);
        widths[c] = Math.max(widths[c], cell.codePointCount(0, cell.length()));
        numeric[c] &= r == 0 || cell.matches("[-+]?[0-9.,eE+%-]*");
      }
    }
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < lines.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String cell = lines.get(r).get(c);
        String pad = " ".repeat(widths[c] - cell.codePointCount(0, cell.length()));
        line.append(c == 0 ? "" : "  ").append(numeric[c] ? pad + cell : cell + pad);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (r == 0) {
        int width = 2 * (columns - 1) + IntStream.of(widths).sum();
        text.append("-".repeat(width)).append('\n');
      }
    }
    return text.toString();
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
