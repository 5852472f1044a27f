package io.mutune.orchestrator.store.quartz;

import io.mutune.orchestrator.store.PostgresFailure;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Quartz's tables in the database of a store. */
public final class QuartzTables {
  private static final String SCRIPTS = "classpath:io/mutune/orchestrator/store/quartz";
  private static final String HISTORY = "quartz_schema_history";
  private static final String STORE = "org.quartz.jobStore.";

  /**
   * How long Quartz waits between a worker's check-ins; it adds 7.5 s before it takes one for dead.
   */
  private static final int CHECK_IN_MILLIS = 2000;

  /** Its tables to which the user has not all rights. */
  private static final String REFUSED =
      "SELECT relname FROM pg_class WHERE relname LIKE 'qrtz\\_%' AND relkind = 'r'"
          + " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
          + " AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')"
          + " AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))"
          + " ORDER BY relname";

  private QuartzTables() {}

  /**
   * Makes or upgrades the tables if needed.
   *
   * @throws StoreException if that fails
   */
  public static void prepare(StoreLocation.Postgres server) {
    try {
      Flyway flyway =
          Flyway.configure(QuartzTables.class.getClassLoader())
              .dataSource(server.boundedUrl(), user(server), server.password().orElse(null))
              .locations(SCRIPTS)
              .table(HISTORY)
              // The store's own tables exist before these, and have a history of their own.
              .baselineOnMigrate(true)
              .baselineVersion("0")
              .load();
      flyway.migrate();
      requireRights(server, flyway.getConfiguration().getDataSource());
    } catch (FlywayException e) {
      throw PostgresFailure.ofTables(server, e, "the tables of Quartz cannot be made");
    }
  }

  /** Quartz itself would try for ever, and tell nobody. */
  private static void requireRights(StoreLocation.Postgres server, DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet refused = statement.executeQuery(REFUSED)) {
      if (refused.next()) {
        throw new StoreException(
            "%s: this user may not read and change the table %s, by which workers share their work: grant SELECT, INSERT, UPDATE and DELETE on it"
                .formatted(server, refused.getString(1)));
      }
    } catch (SQLException e) {
      throw PostgresFailure.of(server, e);
    }
  }

  /**
   * Returns Quartz's settings for a job store that many workers share.
   *
   * @param connections enough for the threads that run jobs, and three more
   */
  public static Properties settings(StoreLocation.Postgres server, int connections) {
    // Quartz keeps its pools by name for the whole process.
    String name = "mutune-" + UUID.randomUUID();
    String source = "org.quartz.dataSource." + name + ".";
    Properties settings = new Properties();
    settings.setProperty(STORE + "class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    settings.setProperty(STORE + "driverDelegateClass", DatabaseClock.class.getName());
    settings.setProperty(STORE + "useProperties", "true");
    settings.setProperty(STORE + "dataSource", name);
    settings.setProperty(STORE + "isClustered", "true");
    settings.setProperty(STORE + "clusterCheckinInterval", Integer.toString(CHECK_IN_MILLIS));
    settings.setProperty("org.quartz.scheduler.dbFailureRetryInterval", "2000");
    settings.setProperty(source + "provider", "hikaricp");
    settings.setProperty(source + "driver", "org.postgresql.Driver");
    settings.setProperty(source + "URL", server.boundedUrl());
    settings.setProperty(source + "user", user(server));
    // Without one the driver looks into the user's password file.
    server.password().ifPresent(word -> settings.setProperty(source + "password", word));
    settings.setProperty(source + "maxConnections", Integer.toString(connections));
    settings.setProperty(source + "connectionTimeout", "10000");
    settings.setProperty(source + "connectionInitSql", StoreLocation.Postgres.SESSION);
    return settings;
  }

  /** The driver's own choice, which Quartz's pool does not leave to it. */
  private static String user(StoreLocation.Postgres server) {
    return server.user().orElseGet(() -> System.getProperty("user.name"));
  }
}
