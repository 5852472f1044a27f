package io.mutune.orchestrator.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * A database of a PostgreSQL server, for many threads and processes at once, and the settings that
 * make a commit durable there. Transactions are READ COMMITTED; those that decide by what they read
 * lock the study first.
 */
final class PostgresDatabase implements Database {
  private static final String MIGRATIONS = "classpath:io/mutune/orchestrator/store/postgresql";
  private static final int CONNECTIONS = 8;
  private static final int VALID_SECONDS = 5;
  private static final int CONNECT_MILLIS = 10_000;

  /**
   * A process that is stopped within a transaction holds a study's lock no longer than this, and
   * one whose server is gone without a word notices.
   */
  private static final String LIMITS =
      "SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'";

  private static final String SOCKET_SECONDS = "90";

  /** What must be on for a commit to be on the disk when it is acknowledged. */
  private static final List<String> DURABLE =
      List.of("fsync", "synchronous_commit", "full_page_writes");

  private static final String SETTINGS =
      "SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
          + " current_setting('full_page_writes')";

  private final StoreLocation.Postgres server;
  private final HikariDataSource pool;

  private PostgresDatabase(StoreLocation.Postgres server, HikariDataSource pool) {
    this.server = server;
    this.pool = pool;
  }

  /** Makes or upgrades the tables where that is needed. */
  static PostgresDatabase openOrCreate(StoreLocation.Postgres server) {
    PostgresDatabase database = new PostgresDatabase(server, pool(server));
    try {
      database.checkDurable();
      database.migrate();
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Upgrades the tables where that is needed. */
  static PostgresDatabase openExisting(StoreLocation.Postgres server) {
    PostgresDatabase database = new PostgresDatabase(server, pool(server));
    try {
      boolean there =
          database
              .read(s -> s.query("SELECT to_regclass('study') IS NOT NULL", r -> r.getBoolean(1)))
              .get(0);
      if (!there) {
        throw new StoreException(server + ": there is no store here; run a sweep first");
      }
      database.checkDurable();
      database.migrate();
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static HikariDataSource pool(StoreLocation.Postgres server) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("mutune");
    config.setJdbcUrl(server.url());
    server.user().ifPresent(config::setUsername);
    server.password().ifPresent(config::setPassword);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setConnectionInitSql(LIMITS);
    // Whatever the server's default: what is read after a lock must be what its holder left.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.addDataSourceProperty("ApplicationName", "mutune");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("socketTimeout", SOCKET_SECONDS);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw e.getCause() instanceof SQLException cause
          ? PostgresFailure.of(server, cause)
          : new StoreException(server + ": the store cannot be opened", e);
    }
  }

  private void migrate() {
    FluentConfiguration configuration =
        Flyway.configure(PostgresDatabase.class.getClassLoader())
            .dataSource(pool)
            .locations(MIGRATIONS)
            .schemas(schema())
            // Tables of a newer version are no store of this one's.
            .ignoreMigrationPatterns(new String[0]);
    try {
      configuration.load().migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          server
              + ": the store's tables are of another version or another program: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    }
  }

  /** Where tables are made: the first of the search path that is there, else the one it names. */
  private String schema() {
    String name =
        read(s ->
                s.query(
                    "SELECT coalesce(current_schema(), current_setting('search_path'))",
                    row -> row.getString(1)))
            .get(0);
    return name.replaceFirst(",.*", "").replace("\"", "").trim();
  }

  private void checkDurable() {
    read(
        session -> {
          requireDurable(session);
          return true;
        });
  }

  /** An administrator may change these at any time, so every transaction that writes looks. */
  private void requireDurable(Session session) throws SQLException {
    List<String> values =
        session
            .query(SETTINGS, row -> List.of(row.getString(1), row.getString(2), row.getString(3)))
            .get(0);
    int off = values.indexOf("off");
    if (off >= 0) {
      throw new StoreException(
          "%s: the server has %s = off, with which a charge may be lost; turn it on"
              .formatted(server, DURABLE.get(off)));
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    return onWorkingConnection(
        connection -> {
          connection.setAutoCommit(false);
          requireDurable(new Session(connection, server.toString()));
        },
        connection -> {
          T result;
          try {
            result = work.run(new Session(connection, server.toString()));
          } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection);
            throw e;
          }
          commit(connection);
          return result;
        });
  }

  @Override
  public <T> T read(Work<T> work) {
    return onWorkingConnection(
        PostgresDatabase::requireAlive,
        connection -> work.run(new Session(connection, server.toString())));
  }

  @Override
  public <T> T snapshot(Work<T> work) {
    return onWorkingConnection(
        PostgresDatabase::requireAlive,
        connection -> {
          // The pool resets all three.
          connection.setReadOnly(true);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          connection.setAutoCommit(false);
          try {
            return work.run(new Session(connection, server.toString()));
          } finally {
            rollBack(connection);
          }
        });
  }

  private static void requireAlive(Connection connection) throws SQLException {
    if (!connection.isValid(VALID_SECONDS)) {
      throw new SQLException("the connection was cut", PostgresFailure.CUT);
    }
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  private interface Use<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * After the server was away each connection of the pool may be dead, and is found out by its
   * first use. Nothing was asked by then, so another is taken; never after the use has begun.
   */
  private <T> T onWorkingConnection(Step first, Use<T> use) {
    for (int dead = 0; ; dead++) {
      boolean used = false;
      try (Connection connection = pool.getConnection()) {
        first.run(connection);
        used = true;
        return use.run(connection);
      } catch (SQLException e) {
        if (used || dead == CONNECTIONS || !PostgresFailure.isLost(e)) {
          throw PostgresFailure.of(server, e);
        }
      }
    }
  }

  private void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      rollBack(connection);
      throw PostgresFailure.ofCommit(server, e);
    }
  }

  /** The server has rolled back already where the connection is gone. */
  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // What made the work fail is the news.
    }
  }

  /** Rows that refer to the study may still be added by others, who do not decide by reading it. */
  @Override
  public void lock(Session session, String study) throws SQLException {
    session.query(
        "SELECT 1 FROM study WHERE id = ? FOR NO KEY UPDATE", row -> row.getInt(1), study);
  }

  @Override
  public void lockAccount(Session session, String account) throws SQLException {
    session.query(
        "SELECT 1 FROM account WHERE name = ? FOR NO KEY UPDATE", row -> row.getInt(1), account);
  }

  /** There need be no row of it yet, so it is a lock of a number. */
  @Override
  public void lockFiles(Session session) throws SQLException {
    session.query(
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/files', 0))",
        row -> true);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public StudyHold hold(String study) {
    try {
      return PostgresHold.take(pool, study);
    } catch (SQLException e) {
      throw PostgresFailure.of(server, e);
    }
  }

  @Override
  public String nextCharge() {
    return "SELECT nextval('charge_sequence')";
  }

  @Override
  public String byCreation() {
    return "created COLLATE \"C\", number";
  }

  /** Checksums of its pages are the server's own affair: it refuses to read a bad one. */
  @Override
  public List<String> damage() {
    return List.of();
  }

  @Override
  public String location() {
    return server.toString();
  }

  @Override
  public void close() {
    pool.close();
  }
}
