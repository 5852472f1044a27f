package io.mutune.orchestrator.store.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreLocation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
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

  private static String shown(Statement statement, String setting) throws Exception {
    try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }
}
