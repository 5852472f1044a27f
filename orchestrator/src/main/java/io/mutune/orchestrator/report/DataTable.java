package io.mutune.orchestrator.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * A table behind a chart, or by itself: the first column names the row.
 *
 * @param rows each with a cell for every column
 */
record DataTable(List<String> head, List<Row> rows) {
  DataTable {
    head = List.copyOf(head);
    rows = List.copyOf(rows);
    int columns = head.size();
    if (rows.stream().anyMatch(row -> row.cells().size() != columns - 1)) {
      throw new IllegalArgumentException("a row has a cell for every column");
    }
  }

  /** One line. */
  record Row(String name, List<String> cells) {}

  static Row row(String name, String... cells) {
    return new Row(name, List.of(cells));
  }

  /** For a terminal. */
  @Override
  public String toString() {
    TextTable shown = new TextTable(head.toArray(String[]::new));
    for (Row row : rows) {
      shown.row(Stream.concat(Stream.of(row.name()), row.cells().stream()).toArray(String[]::new));
    }
    return shown.toString();
  }
}
