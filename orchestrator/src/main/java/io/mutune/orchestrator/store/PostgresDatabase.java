package io.mutune.orchestrator.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.mutune.trainer.file.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * A PostgreSQL database, used by many threads and processes at once. It requires the settings that
 * make a commit durable. Transactions are READ COMMITTED; one that decides by what it reads locks
 * the study first.
 */
final class PostgresDatabase implements Database {
  private static final String MIGRATIONS = "classpath:io/mutune/orchestrator/store/postgresql";
  private static final List<String> SCRIPTS =
      List.of(
          "V1__studies.sql",
          "V2__accounts.sql",
          "V3__queue.sql",
          "V4__events.sql",
          "V5__witness.sql",
          "V6__adoption.sql",
          "V7__data_sets.sql");

  /** As the server reads it: in quotes as it stands, else to a blank or comma, in small letters. */
  private static final Pattern FIRST_SCHEMA =
      Pattern.compile("^\\s*(?:\"((?:[^\"]|\"\")*)\"|([^\\s,]+))");

  /** Letters beyond ASCII stay as they are. */
  private static final Pattern CAPITALS = Pattern.compile("[A-Z]+");

  private static final Pattern CREATE_TRIGGER =
      Pattern.compile("CREATE TRIGGER (\\w+)\\s[^;]*?\\sON (\\w+)\\s");

  /**
   * The enabled triggers that call the function that refuses changes, if its text is the original.
   */
  private static final String TRIGGERS =
      "SELECT 'trigger ' || tgname || ' of table ' || relname FROM pg_trigger"
          + " JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid"
          + " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
          + " WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND nspname = current_schema()"
          + " AND proname = 'refuse_to_change'"
          + " AND btrim(prosrc, E' \\n') = E'BEGIN\\n  RAISE EXCEPTION ''%'', TG_ARGV[0];\\nEND'";

  private static final int CONNECTIONS = 8;
  private static final int VALID_SECONDS = 5;
  private static final int CONNECT_MILLIS = 10_000;

  /** The settings that must be on for an acknowledged commit to be on the disk. */
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

  /**
   * Opens the database, and makes or upgrades the tables if needed.
   *
   * @param make whether one without a store gets one; otherwise it is refused
   */
  static PostgresDatabase open(StoreLocation.Postgres server, boolean make) {
    PostgresDatabase database = new PostgresDatabase(server, pool(server));
    try {
      if (!make && !database.hasStore()) {
        throw StoreException.none(server);
      }
      database.checkDurable();
      database.migrate();
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private boolean hasStore() {
    return read(s -> s.query("SELECT to_regclass('study') IS NOT NULL", r -> r.getBoolean(1)))
        .get(0);
  }

  private static HikariDataSource pool(StoreLocation.Postgres server) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("mutune");
    config.setJdbcUrl(server.boundedUrl());
    server.user().ifPresent(config::setUsername);
    server.password().ifPresent(config::setPassword);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setConnectionInitSql(StoreLocation.Postgres.SESSION);
    // The pool gives a connection this back that had another one for a snapshot.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.addDataSourceProperty("ApplicationName", "mutune");
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
            // Tables of a newer version are refused.
            .ignoreMigrationPatterns(new String[0]);
    try {
      configuration.load().migrate();
    } catch (FlywayException e) {
      throw PostgresFailure.ofTables(
          server, e, "the store's tables are of another version or another program");
    }
  }

  /**
   * Returns the schema of the tables: the first existing one of the search path, else the first.
   */
  private String schema() {
    List<String> there =
        read(s -> s.texts("SELECT current_schema() WHERE current_schema() IS NOT NULL"));
    if (!there.isEmpty()) {
      return there.get(0);
    }
    String path = read(s -> s.texts("SELECT current_setting('search_path')")).get(0);
    Matcher first = FIRST_SCHEMA.matcher(path);
    if (!first.find()) {
      throw new StoreException(server + ": there is no schema in its search_path");
    }
    String name =
        first.group(1) != null
            ? first.group(1).replace("\"\"", "\"")
            : CAPITALS
                .matcher(first.group(2))
                .replaceAll(capitals -> capitals.group().toLowerCase(Locale.ROOT));
    return name.equals("$user") ? read(s -> s.texts("SELECT current_user")).get(0) : name;
  }

  private void checkDurable() {
    read(
        session -> {
          requireDurable(session);
          return true;
        });
  }

  /** Checked in every transaction that writes, since an administrator may change the settings. */
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
          // The pool resets all three settings.
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
   * Uses a connection of the pool. After the server was away each of them may be dead, and the
   * first statement shows it; another connection is then tried, but never after the use has begun.
   * While it is away the pool waits for it, once.
   */
  private <T> T onWorkingConnection(Step first, Use<T> use) {
    for (int dead = 0; ; dead++) {
      boolean used = false;
      try (Connection connection = connection()) {
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

  private Connection connection() {
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw PostgresFailure.of(server, e);
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

  /**
   * Ignores a failure: the first failure is reported, and a lost connection is rolled back by the
   * server.
   */
  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // What made the work fail is what is reported.
    }
  }

  /** The lock still allows other transactions to add rows that refer to the study. */
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

  /** An advisory lock, since there may be no row yet. */
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
  public boolean isHeld(String study) {
    return read(session -> PostgresHold.isHeld(session, study));
  }

  @Override
  public String nextCharge() {
    return "SELECT nextval('charge_sequence')";
  }

  @Override
  public String byCreation() {
    return "created COLLATE \"C\", number";
  }

  /**
   * Compares the names of the triggers that refuse changes with those that the migrations make. The
   * server verifies its pages itself.
   */
  @Override
  public List<String> damage() {
    List<String> there = read(session -> session.texts(TRIGGERS));
    return SCRIPTS.stream()
        .map(script -> Resource.text(PostgresDatabase.class, "postgresql/" + script))
        .flatMap(script -> CREATE_TRIGGER.matcher(script).results())
        .map(made -> "trigger " + made.group(1) + " of table " + made.group(2))
        .filter(trigger -> !there.contains(trigger))
        .map(trigger -> "the " + trigger + " is missing, disabled or another one")
        .toList();
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
