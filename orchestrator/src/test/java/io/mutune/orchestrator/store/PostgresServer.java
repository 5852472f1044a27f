package io.mutune.orchestrator.store;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server for the tests of one JVM: the one that {@code MUTUNE_TEST_POSTGRES} (an
 * environment variable, or the system property mutune.test.postgres) names by a location whose user
 * may create databases, else one that is started on loopback and ended with the JVM.
 */
public final class PostgresServer {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static @Nullable PostgresServer running;

  private final StoreLocation.Postgres administration;
  private StoreLocation.@Nullable Postgres shared;

  private PostgresServer(StoreLocation.Postgres administration) {
    this.administration = administration;
  }

  /** The server; the test is skipped where it cannot be had, except in CI. */
  public static synchronized PostgresServer get() {
    if (running == null) {
      running = new PostgresServer(named().orElseGet(PostgresServer::start));
    }
    return running;
  }

  private static Optional<StoreLocation.Postgres> named() {
    String text = System.getProperty("mutune.test.postgres", System.getenv("MUTUNE_TEST_POSTGRES"));
    return text == null || text.isBlank()
        ? Optional.empty()
        : Optional.of((StoreLocation.Postgres) StoreLocation.of(text));
  }

  private static StoreLocation.Postgres start() {
    try {
      EmbeddedPostgres server = started(PostgresServer::builder);
      return (StoreLocation.Postgres)
          StoreLocation.of("postgresql://postgres@localhost:" + server.getPort() + "/postgres");
    } catch (IOException | RuntimeException e) {
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        throw new IllegalStateException("no PostgreSQL server can be started here", e);
      }
      return abort("no PostgreSQL server can be started here: " + e.getMessage());
    }
  }

  /** By a third try at the latest, since others may take the port that the library has chosen. */
  public static EmbeddedPostgres started(Supplier<EmbeddedPostgres.Builder> builder)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return builder.get().start();
      } catch (IOException | RuntimeException e) {
        if (tries == 3) {
          throw e;
        }
      }
    }
  }

  /** Durable, unlike what the library takes for a test. */
  public static EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setPGStartupWait(Duration.ofMinutes(2))
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("full_page_writes", "on")
        .setServerConfig("max_connections", "300");
  }

  /** A new and empty database. */
  public StoreLocation.Postgres database() {
    String name =
        "mutune_%d_%d".formatted(ProcessHandle.current().pid(), DATABASES.incrementAndGet());
    execute(administration, "CREATE DATABASE " + name);
    return new StoreLocation.Postgres(
        administration.url().replaceFirst("/[^/?]+(\\?|$)", "/" + name + "$1"),
        administration.user(),
        administration.password());
  }

  /** A new and empty schema, which is faster to have. */
  public StoreLocation.Postgres schema() {
    String name = "mutune_" + DATABASES.incrementAndGet();
    synchronized (PostgresServer.class) {
      shared = shared == null ? database() : shared;
    }
    return new StoreLocation.Postgres(
        shared.url() + (shared.url().contains("?") ? "&" : "?") + "currentSchema=" + name,
        shared.user(),
        shared.password());
  }

  /** Does something by a connection that knows nothing of Mutune. */
  public static void execute(StoreLocation.Postgres database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static Connection connect(StoreLocation.Postgres database) throws SQLException {
    Properties properties = new Properties();
    database.user().ifPresent(user -> properties.setProperty("user", user));
    database.password().ifPresent(password -> properties.setProperty("password", password));
    return DriverManager.getConnection(database.url(), properties);
  }
}
