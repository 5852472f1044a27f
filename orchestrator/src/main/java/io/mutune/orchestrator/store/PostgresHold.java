package io.mutune.orchestrator.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the server's that belongs to a connection: it is gone when the process ends, however it
 * does, and a while after its machine or the network does. After the server was away it is taken
 * again, as long as nobody else has it; whoever has it meanwhile is found out by the store's other
 * means.
 */
final class PostgresHold implements StudyHold {
  private static final String KEY = "hashtextextended(current_schema() || '/run/' || ?, 0)";
  private static final String TAKE = "SELECT pg_try_advisory_lock(" + KEY + ")";

  /** As PostgreSQL shows a lock by one number of 64 bits. */
  private static final String HELD =
      "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND"
          + " database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND"
          + " (classid::bigint << 32 | objid::bigint) = "
          + KEY
          + ")";

  /** Half a minute until the server misses a machine that is gone without a word. */
  private static final String ALIVE =
      "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

  private static final int SECONDS_BETWEEN = 10;
  private static final int VALID_SECONDS = 5;

  private final HikariDataSource pool;
  private final String study;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread keeper = new Thread(work, "hold");
            keeper.setDaemon(true);
            return keeper;
          });

  private @Nullable Connection connection;

  private PostgresHold(HikariDataSource pool, String study) {
    this.pool = pool;
    this.study = study;
  }

  /**
   * Takes the lock.
   *
   * @throws StoreException if another process has it
   */
  @SuppressWarnings("FutureReturnValueIgnored") // keep() catches what is thrown in it
  static PostgresHold take(HikariDataSource pool, String study) throws SQLException {
    PostgresHold hold = new PostgresHold(pool, study);
    if (!hold.take()) {
      hold.close();
      throw new StoreException(
          "study "
              + study
              + " is being run by another process, here or on another machine; wait for it or end"
              + " it");
    }
    hold.thread.scheduleWithFixedDelay(
        hold::keep, SECONDS_BETWEEN, SECONDS_BETWEEN, TimeUnit.SECONDS);
    return hold;
  }

  /** Whether any process has the lock. */
  static boolean isHeld(Session session, String study) throws SQLException {
    return session.query(HELD, row -> row.getBoolean(1), study).get(0);
  }

  private synchronized boolean take() throws SQLException {
    Connection fresh = pool.getConnection();
    try (Statement alive = fresh.createStatement();
        PreparedStatement take = fresh.prepareStatement(TAKE)) {
      alive.execute(ALIVE);
      take.setString(1, study);
      try (ResultSet taken = take.executeQuery()) {
        if (taken.next() && taken.getBoolean(1)) {
          connection = fresh;
          return true;
        }
      }
    } finally {
      if (connection != fresh) {
        pool.evictConnection(fresh);
      }
    }
    return false;
  }

  /** A hold that cannot be had again now may be later. */
  synchronized void keep() {
    try {
      if (connection != null && connection.isValid(VALID_SECONDS)) {
        return;
      }
      release();
      take();
    } catch (SQLException | RuntimeException e) {
      // The study itself finds out that the store is gone, and says so.
    }
  }

  /** A connection with a lock or another setting is none for the pool. */
  private void release() {
    if (connection != null) {
      pool.evictConnection(connection);
      connection = null;
    }
  }

  /**
   * Who asks after this finds the lock free: that of an evicted connection goes in its own time.
   */
  @Override
  public void close() {
    thread.shutdownNow();
    synchronized (this) {
      if (connection != null) {
        unlock(connection);
      }
      release();
    }
  }

  private static void unlock(Connection connection) {
    try (Statement unlock = connection.createStatement()) {
      unlock.execute("SELECT pg_advisory_unlock_all()");
    } catch (SQLException e) {
      // Then the server ends the connection, and the lock with it.
    }
  }
}
