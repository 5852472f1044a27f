package io.mutune.orchestrator.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** Runs SQL on the connection of a transaction. */
final class Session {
  private final Connection connection;
  private final String where;
  private final List<Mark> marks = new ArrayList<>();

  /** Reads one row of a result. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * @param where the store is, for messages
   */
  Session(Connection connection, String where) {
    this.connection = connection;
    this.where = where;
  }

  /** Notes that a ledger has grown, which the witness keeps after the commit. */
  void moved(Mark mark) {
    marks.add(mark);
  }

  /** Returns the entries that were added to ledgers in this transaction, in their order. */
  List<Mark> marks() {
    return List.copyOf(marks);
  }

  String where() {
    return where;
  }

  /** Changes exactly one row. */
  void update(String sql, Object... parameters) throws SQLException {
    if (change(sql, parameters) != 1) {
      throw new StoreException(where + ": another process has changed this study meanwhile");
    }
  }

  /** Changes any number of rows and returns it. */
  int change(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      List<T> result = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(reader.read(rows));
        }
      }
      return result;
    } catch (IllegalArgumentException
        | DateTimeException
        | JacksonException
        | NullPointerException e) {
      throw StoreException.damaged(where + ": the store is damaged: a row of it makes no sense", e);
    }
  }

  /** Returns the first column of every row. */
  List<String> texts(String sql, Object... parameters) throws SQLException {
    return query(sql, row -> row.getString(1), parameters);
  }

  /** Returns the first column of the first row, if there is one. */
  Optional<String> text(String sql, Object... parameters) throws SQLException {
    return texts(sql, parameters).stream().findFirst();
  }

  /** Returns the number that a query of one row and column gives. */
  long number(String sql) throws SQLException {
    return query(sql, row -> row.getLong(1)).get(0);
  }

  /** Returns whether there is such a row. */
  boolean has(String sql, Object... parameters) throws SQLException {
    return !query(sql, row -> true, parameters).isEmpty();
  }

  /** Returns the first row, if there is one. */
  <T> Optional<T> first(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    return query(sql, reader, parameters).stream().findFirst();
  }

  private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }
}
