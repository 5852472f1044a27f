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
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Holds an advisory lock of the server that belongs to a connection. The server frees it when the
 * process ends, and some time after the machine or the network fails. After the server was away the
 * lock is taken again if it is free; if another process has it by then, the checks of each write (a
 * run's number of starts) refuse the older one.
 */
final class PostgresHold implements StudyHold {
  private static final String KEY = "hashtextextended(current_schema() || '/run/' || ?, 0)";
  private static final String TAKE = "SELECT pg_try_advisory_lock(" + KEY + ")";

  /** The view pg_locks shows a 64-bit lock as two halves. */
  private static final String HELD =
      "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND"
          + " database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND"
          + " (classid::bigint << 32 | objid::bigint) = "
          + KEY
          + ")";

  /** After half a minute without an answer the server closes the connection. */
  private static final String ALIVE =
      "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

  private static final int SECONDS_BETWEEN = 10;
  private static final int VALID_SECONDS = 5;

  private final HikariDataSource pool;
  private final String study;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          BasicThreadFactory.builder().namingPattern("hold").daemon(true).build());

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

  /** Returns whether any process has the lock. */
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

  /** Takes a lost lock again, now or at a later call; not once it is closed. */
  synchronized void keep() {
    try {
      if (thread.isShutdown() || (connection != null && connection.isValid(VALID_SECONDS))) {
        return;
      }
      release();
      take();
    } catch (SQLException | RuntimeException e) {
      // The study's own next write fails and reports it.
    }
  }

  /** Evicts the connection, whose settings and lock must not return to the pool. */
  private void release() {
    if (connection != null) {
      pool.evictConnection(connection);
      connection = null;
    }
  }

  /**
   * Frees the lock before the return: an evicted connection closes, and frees it, some time later.
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
      // The server then closes the connection, which frees the lock.
    }
  }
}
