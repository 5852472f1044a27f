package io.mutune.orchestrator.store.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.DBConnectionManager;

class QuartzTablesTest {
  /** Else one process that is frozen or cut off would keep all others from their work. */
  @Test
  void connections_areGivenUpLikeThoseOfTheStore() throws Exception {
    StoreLocation.Postgres database = PostgresServer.get().database();
    QuartzTables.prepare(database);
    Properties settings = QuartzTables.settings(database, 4);
    settings.setProperty("org.quartz.threadPool.threadCount", "1");
    settings.setProperty("org.quartz.scheduler.instanceId", "AUTO");
    Scheduler scheduler = new StdSchedulerFactory(settings).getScheduler();
    String source = settings.getProperty("org.quartz.jobStore.dataSource");
    try (Connection connection = DBConnectionManager.getInstance().getConnection(source);
        Statement statement = connection.createStatement()) {
      assertThat(connection.getNetworkTimeout()).isEqualTo(90_000);
      assertThat(shown(statement, "lock_timeout")).isEqualTo("30s");
      assertThat(shown(statement, "idle_in_transaction_session_timeout")).isEqualTo("1min");
    } finally {
      scheduler.shutdown();
    }
  }

  /** Quartz itself would try for ever, and tell nobody. */
  @Test
  void aUserWhoMayNotDelete_isRefusedAtOnce() {
    StoreLocation.Postgres owner = PostgresServer.get().database();
    QuartzTables.prepare(owner);
    StoreLocation.Postgres quoted =
        new StoreLocation.Postgres(
            owner.url() + "?currentSchema=%22A.b%22", owner.user(), owner.password());
    PostgresServer.execute(owner, "CREATE SCHEMA \"A.b\"");
    QuartzTables.prepare(quoted);
    String role = "worker_" + owner.url().replaceFirst(".*/", "");
    PostgresServer.execute(owner, "CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
    PostgresServer.execute(
        owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role);
    StoreLocation.Postgres worker =
        new StoreLocation.Postgres(owner.url(), Optional.of(role), Optional.of("x"));
    QuartzTables.prepare(worker);

    PostgresServer.execute(owner, "REVOKE DELETE ON qrtz_triggers FROM " + role);

    assertThatThrownBy(() -> QuartzTables.prepare(worker))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("may not read and change the table qrtz_triggers");
  }

  /** An empty one would keep the driver from the user's password file. */
  @Test
  void noPassword_isNotAnEmptyOne() {
    StoreLocation.Postgres server =
        new StoreLocation.Postgres("jdbc:postgresql://h/db", Optional.of("me"), Optional.empty());

    assertThat(QuartzTables.settings(server, 4).stringPropertyNames())
        .noneMatch(name -> name.endsWith(".password"));
  }

  private static String shown(Statement statement, String setting) throws Exception {
    try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }
}
