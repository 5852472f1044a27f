package io.mutune.orchestrator.store.quartz;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.jdbcjobstore.SchedulerStateRecord;

/**
 * Workers check in by the database's clock, not by their own: Quartz takes one whose last check-in
 * is too old for dead, and a machine whose clock is off by more than its patience would be taken so
 * all the time, or take all others so. Check-ins are kept in the database's time, and each worker
 * reads them as times of its own clock.
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

  /** What this worker's clock says. */
  @SuppressWarnings("JavaUtilDate") // Quartz compares with this very clock
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
