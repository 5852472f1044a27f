package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.Optional;
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

  public static StoreException of(StoreLocation.Postgres server, SQLException e) {
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
   * Returns why tables could not be made or upgraded: Flyway's own words do not say what the server
   * refused.
   *
   * @param otherwise what is said where it refused nothing
   */
  public static StoreException ofTables(
      StoreLocation.Postgres server, FlywayException e, String otherwise) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException failure && words(failure).isPresent()) {
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
    return words(e).orElseGet(() -> "the store fails: " + message(e));
  }

  /** Returns what is known of the failure; empty where the server's words are all there is. */
  private static Optional<String> words(SQLException e) {
    String state = String.valueOf(cause(e).getSQLState());
    if (isLost(e)) {
      return Optional.of(
          "the database server cannot be reached, or has gone away (" + message(e) + ")");
    }
    if (state.startsWith(LOGIN)) {
      return Optional.of("the database server refuses this login; PGPASSWORD may give a password");
    }
    if (state.startsWith(NO_DATABASE)) {
      return Optional.of("there is no such database; create it first");
    }
    return switch (state) {
      case "53100" -> Optional.of("the store cannot be written: the server's disk is full");
      case "57014" -> Optional.of("the database server has ended a statement: " + message(e));
      case "55P03", "40P01" ->
          Optional.of("the store is locked by another process; try again when that has ended");
      case "25006" -> Optional.of("the store cannot be written: the server is read-only");
      case "42501" -> Optional.of("the store cannot be used: " + message(e));
      default ->
          state.startsWith(RESOURCES)
              ? Optional.of("the database server has no more connections or memory to give")
              : Optional.empty();
    };
  }

  private static String message(SQLException e) {
    return String.valueOf(cause(e).getMessage()).lines().findFirst().orElse("");
  }

  /** Returns the server's own exception: the pool wraps it when it stops waiting. */
  private static SQLException cause(SQLException e) {
    return e.getSQLState() == null && e.getCause() instanceof SQLException cause ? cause : e;
  }
}
