package io.mutune.orchestrator.store.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreLocation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.quartz.impl.jdbcjobstore.SchedulerStateRecord;
import org.quartz.simpl.SimpleClassLoadHelper;
import org.slf4j.LoggerFactory;

class DatabaseClockTest {
  private static final long EIGHT_HOURS = Duration.ofHours(8).toMillis();

  @SuppressWarnings("NullAway") // Quartz asks for all instances by null
  @Test
  void aCheckIn_isByTheDatabasesClockWhateverTheWorkersSays() throws Exception {
    StoreLocation.Postgres database = PostgresServer.get().database();
    QuartzTables.prepare(database);
    QuartzTables.prepare(database);
    DatabaseClock clock = new DatabaseClock();
    clock.initialize(
        LoggerFactory.getLogger(DatabaseClockTest.class),
        "QRTZ_",
        "mutune",
        "behind",
        new SimpleClassLoadHelper(),
        true,
        "");
    long now = Instant.now().toEpochMilli();
    try (Connection connection =
        DriverManager.getConnection(
            database.url(), database.user().orElseThrow(), database.password().orElse(""))) {
      clock.insertSchedulerState(connection, "behind", now - EIGHT_HOURS, 2000);
      clock.insertSchedulerState(connection, "ahead", now, 2000);
      assertThat(clock.updateSchedulerState(connection, "ahead", now + EIGHT_HOURS)).isEqualTo(1);
      assertThat(clock.selectSchedulerStateRecords(connection, null))
          .extracting(SchedulerStateRecord::getCheckinTimestamp)
          .hasSize(2)
          .allSatisfy(checkIn -> assertThat(checkIn).isCloseTo(now, within(EIGHT_HOURS / 8)));
    }
  }
}
