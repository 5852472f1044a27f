package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rows of one file are one account's, even where two are the first to read it. */
@Timeout(60)
class AccountFilesRaceTest {
  private static final String FILE = "/data/rows.csv";

  @TempDir Path folder;

  private static AccountRecord account(String name) {
    return new AccountRecord(
        name,
        "00112233445566778899aabbccddeeff",
        Instant.parse("2026-01-02T03:04:05.6Z"),
        Adjacency.ADD_REMOVE,
        GaussianDp.of(Mu.of(1)),
        Optional.empty());
  }

  @Test
  void ofTwoAccountsThatReadAFileFirst_oneHasItsRows() throws Exception {
    StoreLocation.Postgres database = PostgresServer.get().schema();
    try (StudyStore store = Stores.open(database, folder);
        Connection other = PostgresServer.connect(database);
        Statement theirs = other.createStatement()) {
      store.createAccount(account("mine"));
      store.createAccount(account("theirs"));
      other.setAutoCommit(false);
      theirs.execute("INSERT INTO account_file(path, account) VALUES ('" + FILE + "', 'theirs')");
      AccountClaim claim =
          new AccountClaim(
              Optional.of("mine"), GaussianDp.of(Mu.of(0.1)), Adjacency.ADD_REMOVE, List.of(FILE));
      CompletableFuture<Void> mine =
          CompletableFuture.runAsync(
              () -> store.create(StoreHarness.record("aaaaaaaa", folder), 1, claim));
      untilSomebodyWaits(database);
      other.commit();
      assertThatThrownBy(mine::join)
          .hasCauseInstanceOf(AccountRefusedException.class)
          .hasMessageContaining("has the rows of the account 'theirs'");
      assertThat(store.accountEntries("mine")).isEmpty();
      assertThat(store.study("aaaaaaaa")).isEmpty();
    }
  }

  private static void untilSomebodyWaits(StoreLocation.Postgres database) throws SQLException {
    try (Connection connection = PostgresServer.connect(database);
        Statement statement = connection.createStatement()) {
      boolean waits = false;
      while (!waits) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND database IS NULL")) {
          row.next();
          waits = row.getInt(1) > 0;
        }
      }
    }
  }
}
