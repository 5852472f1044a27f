package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rows of a file are one account's, even where two are the first to read it at one moment. */
@Timeout(120)
class AccountFilesRaceTest {
  private static final int FILES = 40;
  private static final List<String> ACCOUNTS = List.of("mine", "theirs");

  @TempDir Path folder;

  private static AccountRecord account(String name) {
    return new AccountRecord(
        name,
        "00112233445566778899aabbccddeeff",
        Instant.parse("2026-01-02T03:04:05.6Z"),
        Adjacency.ADD_REMOVE,
        ApproximateGaussianDp.of(GaussianDp.of(Mu.of(1))),
        Optional.empty());
  }

  @Test
  void ofTwoAccountsThatReadAFileFirst_oneHasItsRows() throws Exception {
    StoreLocation.Postgres database = PostgresServer.get().schema();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (StudyStore store = Stores.open(database, folder)) {
      ACCOUNTS.forEach(name -> store.createAccount(account(name)));
      for (int file = 0; file < FILES; file++) {
        CyclicBarrier together = new CyclicBarrier(2);
        List<Callable<Boolean>> both = new ArrayList<>();
        for (String name : ACCOUNTS) {
          String id = "%s%07x".formatted(name.equals("mine") ? "a" : "b", file);
          String path = "/data/rows-" + file + ".csv";
          both.add(
              () -> {
                together.await();
                return isAccepted(store, id, name, path);
              });
        }
        int accepted = 0;
        for (Future<Boolean> answer : threads.invokeAll(both)) {
          accepted += answer.get() ? 1 : 0;
        }
        assertThat(accepted).as("file " + file).isEqualTo(1);
      }
    } finally {
      threads.shutdown();
    }
  }

  private boolean isAccepted(StudyStore store, String id, String name, String path) {
    AccountClaim claim =
        new AccountClaim(
            Optional.of(name),
            ApproximateGaussianDp.of(GaussianDp.of(Mu.of(0.01))),
            Adjacency.ADD_REMOVE,
            AccountsContract.files(path));
    try {
      store.create(StoreHarness.record(id, folder), 1, claim);
      return true;
    } catch (AccountRefusedException e) {
      return false;
    }
  }
}
