package io.mutune.orchestrator.store;

import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;

/** Turns failures of a PostgreSQL server into messages for the user. */
public final class PostgresFailure {
  /** The SQL state of a lost connection. */
  static final String CUT = "08006";

  private static final String CONNECTION = "08";
  private static final String LOGIN = "28";
  private static final String NO_DATABASE = "3D";
  private static final String RESOURCES = "53";
  private static final String STOPPED = "57P";

  private PostgresFailure() {}

  static StoreException of(StoreLocation.Postgres server, SQLException e) {
    return new StoreException(server + ": " + what(e), e);
  }

  /**
   * Returns the failure of a commit. Without an answer from the server it is unknown whether the
   * commit took place.
   */
  static StoreException ofCommit(StoreLocation.Postgres server, SQLException e) {
    return isLost(e)
        ? new StoreException(
            server
                + ": "
                + what(e)
                + ", while something was written; whether it was shows when the study goes on",
            e)
        : of(server, e);
  }

  /**
   * Returns why tables could not be made or upgraded: Flyway's own words do not say that the server
   * has gone away.
   *
   * @param otherwise what is said where it has not
   */
  public static StoreException ofTables(
      StoreLocation.Postgres server, FlywayException e, String otherwise) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException failure && isLost(failure)) {
        return of(server, failure);
      }
    }
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new StoreException(server + ": " + otherwise + ": " + first, e);
  }

  /** Returns whether the server cannot be reached. */
  static boolean isLost(SQLException e) {
    String state = cause(e).getSQLState();
    return state == null || state.startsWith(CONNECTION) || state.startsWith(STOPPED);
  }

  private static String what(SQLException e) {
    SQLException cause = cause(e);
    String state = String.valueOf(cause.getSQLState());
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    if (isLost(cause)) {
      return "the database server cannot be reached, or has gone away (" + message + ")";
    }
    if (state.startsWith(LOGIN)) {
      return "the database server refuses this login; PGPASSWORD may give a password";
    }
    if (state.startsWith(NO_DATABASE)) {
      return "there is no such database; create it first";
    }
    return switch (state) {
      case "53100" -> "the store cannot be written: the server's disk is full";
      case "55P03", "57014", "40P01" ->
          "the store is locked by another process; try again when that has ended";
      case "25006" -> "the store cannot be written: the server is read-only";
      case "42501" -> "the store cannot be used: " + message;
      default ->
          state.startsWith(RESOURCES)
              ? "the database server has no more connections or memory to give"
              : "the store fails: " + message;
    };
  }

  /** Returns the server's own exception: the pool wraps it when it stops waiting. */
  private static SQLException cause(SQLException e) {
    return e.getSQLState() == null && e.getCause() instanceof SQLException cause ? cause : e;
  }
}
