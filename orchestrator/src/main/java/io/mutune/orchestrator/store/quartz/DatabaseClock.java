package io.mutune.orchestrator.store.quartz;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.jdbcjobstore.SchedulerStateRecord;

/**
 * Translates check-ins of workers between the database's clock and their own. Quartz takes a worker
 * whose last check-in is too old for dead, which a machine with a wrong clock would always seem to
 * be, or find all others to be. Check-ins are stored in the database's time, and each worker reads
 * them as times of its own clock.
 */
public final class DatabaseClock extends PostgreSQLDelegate {
  private static final String NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  @Override
  public int insertSchedulerState(Connection connection, String worker, long ignored, long interval)
      throws SQLException {
    return super.insertSchedulerState(connection, worker, now(connection), interval);
  }

  @Override
  public int updateSchedulerState(Connection connection, String worker, long ignored)
      throws SQLException {
    return super.updateSchedulerState(connection, worker, now(connection));
  }

  @Override
  public List<SchedulerStateRecord> selectSchedulerStateRecords(
      Connection connection, String worker) throws SQLException {
    List<SchedulerStateRecord> states = super.selectSchedulerStateRecords(connection, worker);
    long behind = localMillis() - now(connection);
    for (SchedulerStateRecord state : states) {
      state.setCheckinTimestamp(state.getCheckinTimestamp() + behind);
    }
    return states;
  }

  /** Returns the time by this worker's clock. */
  @SuppressWarnings("JavaUtilDate") // Quartz compares with this clock
  private static long localMillis() {
    return System.currentTimeMillis();
  }

  private static long now(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOW);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
