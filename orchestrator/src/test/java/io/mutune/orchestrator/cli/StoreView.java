package io.mutune.orchestrator.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks into a store's file, or tampers with it, by a connection that knows nothing of Mutune. */
final class StoreView implements AutoCloseable {
  private final Connection connection;

  private StoreView(Connection connection) {
    this.connection = connection;
  }

  static StoreView of(Path store) throws SQLException {
    return new StoreView(
        DriverManager.getConnection("jdbc:sqlite:" + store + "?busy_timeout=60000"));
  }

  boolean hasStudy() throws SQLException {
    return number("SELECT count(*) FROM sqlite_schema WHERE name = 'trial_is_never_forgotten'") > 0
        && number("SELECT count(*) FROM study") > 0;
  }

  long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  /** Committed steps of all runs. */
  long stepsBegun() throws SQLException {
    return number("SELECT sum(steps_begun) FROM trial");
  }

  long stepsLost() throws SQLException {
    return number("SELECT sum(steps_lost) FROM trial");
  }

  List<String> charges() throws SQLException {
    return texts("SELECT what FROM charge ORDER BY sequence");
  }

  /** A column of texts. */
  List<String> texts(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Whether it holds, and then locks the store until its release: nobody writes to it meanwhile,
   * and so no study ends.
   */
  boolean held(MutuneProcess.Condition condition) throws SQLException {
    if (!condition.holds()) {
      return false;
    }
    execute("BEGIN IMMEDIATE");
    return true;
  }

  /** Ends what {@link #held} began. */
  void release() throws SQLException {
    execute("ROLLBACK");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
