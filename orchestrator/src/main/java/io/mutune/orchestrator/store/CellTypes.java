package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks that the cells of an SQLite file have the types of their columns. A damaged file may hold
 * the bytes of a text as a blob: it reads as the same text, so that the hashes fit, but no query
 * for the text finds it. SQLite's own check covers STRICT tables only.
 */
final class CellTypes {
  private static final String COLUMNS =
      "SELECT tables.name, columns.name, lower(columns.type)"
          + " FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns"
          + " WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

  private CellTypes() {}

  private record Column(String table, String name, String type) {
    List<String> problems(Session session) throws SQLException {
      return session.query(
          // From the table itself, since an index may still have the old value.
          "SELECT rowid, typeof(%2$s) FROM %1$s NOT INDEXED WHERE typeof(%2$s) NOT IN (?, 'null')"
              .formatted(quoted(table), quoted(name)),
          row ->
              String.format(
                  Locale.ROOT,
                  "row %d of table %s has a value of type %s in column %s, which is of type %s",
                  row.getLong(1),
                  table,
                  row.getString(2),
                  name,
                  type),
          type);
    }

    private static String quoted(String name) {
      return '"' + name.replace("\"", "\"\"") + '"';
    }
  }

  /** Returns a sentence for each cell of another type. */
  static List<String> problems(Session session) throws SQLException {
    List<String> problems = new ArrayList<>();
    for (Column column :
        session.query(
            COLUMNS, row -> new Column(row.getString(1), row.getString(2), row.getString(3)))) {
      problems.addAll(column.problems(session));
    }
    return problems;
  }
}
