package io.mutune.orchestrator.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * One SQLite file and the settings that make a commit durable: write-ahead log, synchronous FULL,
 * writers that begin IMMEDIATE. One connection, used by one thread at a time.
 */
final class SqliteFile implements AutoCloseable {
  private static final int LAYOUT = 1;
  private static final int BUSY_MILLIS = 5_000;
  private static final Pattern STATEMENT_END = Pattern.compile(";\n(\n|$)");

  private final Path path;
  private final Connection connection;

  /** Work within a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Reads one row of a result. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private SqliteFile(Path path, Connection connection) {
    this.path = path;
    this.connection = connection;
  }

  static SqliteFile openOrCreate(Path path) {
    try {
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw new StoreException(path + ": its folder cannot be made (" + reason(e) + ")", e);
    }
    return open(path);
  }

  static SqliteFile openExisting(Path path) {
    if (!Files.exists(path)) {
      throw new StoreException(path + ": there is no store here; run a sweep first");
    }
    return open(path);
  }

  private static SqliteFile open(Path path) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    SqliteFile file = null;
    try {
      Connection connection = config.createConnection("jdbc:sqlite:" + path);
      file = new SqliteFile(path, connection);
      file.layOut();
      return file;
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  private void layOut() {
    int layout = query("PRAGMA user_version", row -> row.getInt(1)).get(0);
    if (layout > LAYOUT) {
      throw new StoreException(
          path + ": was written by a newer version (layout " + layout + ", known: " + LAYOUT + ")");
    }
    if (layout == LAYOUT) {
      return;
    }
    write(
        open -> {
          try (Statement statement = open.createStatement();
              ResultSet version = statement.executeQuery("PRAGMA user_version")) {
            if (version.getInt(1) == LAYOUT) {
              return LAYOUT;
            }
          }
          try (Statement statement = open.createStatement()) {
            for (String sql : STATEMENT_END.splitAsStream(schema()).toList()) {
              statement.executeUpdate(sql);
            }
            statement.executeUpdate("PRAGMA user_version = " + LAYOUT);
          }
          return LAYOUT;
        });
  }

  /** Runs work in one transaction that is synced when this returns. */
  synchronized <T> T write(Work<T> work) {
    try {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollBack();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  synchronized void update(String sql, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      if (statement.executeUpdate() != 1) {
        throw new StoreException(path + ": another process has changed this study meanwhile");
      }
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  synchronized <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      List<T> result = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(reader.read(rows));
        }
      }
      return result;
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  /** On a full disk SQLite has rolled back already and refuses to do so again. */
  private void rollBack() {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // What made the work fail is the news.
    }
  }

  private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }

  private static StoreException failed(Path path, SQLException e) {
    String what = "fails: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (e instanceof SQLiteException sqlite) {
      SQLiteErrorCode code = sqlite.getResultCode();
      what =
          switch (code) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_BUSY_SNAPSHOT, SQLITE_BUSY_RECOVERY ->
                "is locked by another process; try again when that has ended";
            case SQLITE_FULL, SQLITE_IOERR_WRITE -> "cannot be written: the disk is full";
            case SQLITE_READONLY, SQLITE_READONLY_DIRECTORY, SQLITE_READONLY_DBMOVED ->
                "cannot be written: it or its folder is read-only";
            case SQLITE_CANTOPEN -> "cannot be opened: its folder is missing or read-only";
            case SQLITE_NOTADB, SQLITE_CORRUPT -> "is damaged or not a store of Mutune";
            default -> what;
          };
    }
    return new StoreException(path + ": the store " + what, e);
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "");
  }

  private static String schema() {
    try (InputStream in = SqliteFile.class.getResourceAsStream("schema.sql")) {
      if (in == null) {
        throw new IllegalStateException("schema.sql is missing from the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
