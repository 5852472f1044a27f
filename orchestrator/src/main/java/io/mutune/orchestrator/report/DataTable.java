package io.mutune.orchestrator.report;

import java.util.List;

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
}
