package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.testing.Effort;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Studies on a store that fails at random, with a clock that jumps by years: after each fault every
 * charge that was acknowledged is there, and the audit agrees. The seed is printed; there is no
 * chance in what is asserted.
 */
class StoreFaultsTest {
  private static final List<String> QUESTIONS = List.of("trial 1", "score 1", "final");
  private static final int FULL_PAGES = 1;

  @TempDir Path folder;

  private Random random = new Random(0);
  private StudyStore sound = TestStores.inMemory();
  private final Set<String> asked = new HashSet<>();

  @Test
  void sqlite_withADiskThatIsFullNowAndThen_losesNoCharge() {
    Path path = folder.resolve("mutune.db");
    // The limit is the connection's, and no smaller than the file: the next page does not fit.
    SqliteFile file = SqliteFile.openOrCreate(path);
    FaultyDatabase.Break full =
        session -> {
          session.query("PRAGMA max_page_count = " + FULL_PAGES, row -> row.getInt(1));
          session.change("CREATE TABLE IF NOT EXISTS filler (x BLOB)");
          session.change("INSERT INTO filler VALUES (zeroblob(1000000))");
        };
    faults(file, Stores.open(path), Effort.of(200, 800), full, () -> unlimited(file));
  }

  private static void unlimited(SqliteFile file) {
    file.read(s -> s.query("PRAGMA max_page_count = 1073741823", row -> row.getInt(1)));
  }

  @Test
  void postgres_whoseConnectionsAreCutNowAndThen_losesNoCharge() {
    StoreLocation.Postgres server = PostgresServer.get().schema();
    StudyStore other = Stores.open(server, folder);
    FaultyDatabase.Break cut =
        session ->
            session.query("SELECT pg_terminate_backend(pg_backend_pid())", row -> row.getString(1));
    faults(PostgresDatabase.open(server, false), other, Effort.of(50, 200), cut, () -> {});
  }

  private void faults(
      Database database,
      StudyStore soundStore,
      int wanted,
      FaultyDatabase.Break own,
      Runnable mend) {
    long seed = System.nanoTime();
    System.out.println("faults of a store: seed " + seed);
    random = new Random(seed);
    sound.close();
    sound = soundStore;
    FaultyDatabase faulty = new FaultyDatabase(database, random, 0.4, own);
    try (StudyStore store =
        new JdbcStore(faulty, Optional.empty(), folder, jumping(), FileOwners.NONE)) {
      for (int study = 1; faulty.faults() < wanted; study++) {
        toItsEnd(store, faulty, "%08x".formatted(study), mend);
      }
      assertThat(faulty.faults()).isGreaterThanOrEqualTo(wanted);
    } finally {
      sound.close();
    }
  }

  private Clock jumping() {
    InstantSource source =
        () -> Instant.EPOCH.plusSeconds((long) (random.nextDouble() * 4_000_000_000L));
    return source.withZone(ZoneOffset.UTC);
  }

  /** As a runner goes on after each failure: from what the store says. */
  private void toItsEnd(StudyStore store, FaultyDatabase faulty, String id, Runnable mend) {
    asked.clear();
    sound.createAccount(
        new AccountRecord(
            id,
            "00",
            Instant.EPOCH,
            Adjacency.ADD_REMOVE,
            ApproximateGaussianDp.of(GaussianDp.of(Mu.of(1))),
            Optional.empty()));
    boolean ended = false;
    while (!ended) {
      int before = faulty.faults();
      try {
        ended = step(store, id);
      } catch (FaultyDatabase.Fault | StoreException e) {
        assertThat(faulty.faults()).as("a failure that nobody made: %s", e).isGreaterThan(before);
        mend.run();
        check(id);
      }
    }
    check(id);
  }

  /** One thing that a runner does next. */
  private boolean step(StudyStore store, String id) {
    Optional<StudyRecord> study = sound.study(id);
    if (study.isEmpty()) {
      store.create(
          StoreHarness.record(id, folder),
          1,
          new AccountClaim(
              Optional.of(id),
              ApproximateGaussianDp.of(StoreHarness.BUDGET.cap()),
              Adjacency.ADD_REMOVE,
              AccountsContract.files("/data/" + id)));
      return false;
    }
    StudyState state = study.get().state();
    if (state.isFinal()) {
      return true; // The answer was lost, not the move.
    }
    if (state == StudyState.PLANNED) {
      store.move(id, StudyState.RUNNING);
      return false;
    }
    for (String what : QUESTIONS) {
      if (sound.charge(id, what).isEmpty()) {
        StoredCharge charge =
            store.reserve(id, StoreHarness.FILTER, StoreHarness.charge(what, 100));
        asked.add(charge.charge().what());
        return false;
      }
    }
    RunRecord trial = sound.trial(id, 1);
    switch (trial.state()) {
      case PLANNED -> store.move(id, 1, RunState.CHARGED);
      case CHARGED -> train(store, id);
      case TRAINED -> store.score(id, 1, random.nextDouble());
      default ->
          store.move(
              id, random.nextBoolean() ? StudyState.FINISHED : StudyState.CANCELLED, "the end");
    }
    return sound.study(id).orElseThrow().state().isFinal();
  }

  private void train(StudyStore store, String id) {
    RunRecord run = store.start(id, 1);
    int first = run.stepsBegun() + 1;
    if (first <= 3) {
      store.beginSteps(id, 1, run.starts(), first, first);
      store.checkpoint(id, 1, run.starts(), StoreHarness.iterate(first));
    } else {
      store.move(id, 1, RunState.TRAINED);
    }
  }

  private void check(String id) {
    if (sound.study(id).isEmpty()) {
      assertThat(asked).isEmpty();
      return;
    }
    LedgerFinding ledger = sound.ledger(id);
    assertThat(ledger.problem()).isEmpty();
    List<Charge> charges = sound.charges(id).stream().map(StoredCharge::charge).toList();
    assertThat(charges).extracting(Charge::what).doesNotHaveDuplicates().containsAll(asked);
    assertThat(Balance.of(StoreHarness.BUDGET, charges).spent().mu().value())
        .isLessThanOrEqualTo(StoreHarness.BUDGET.cap().mu().value());
    AccountAudit audit = AccountAudit.of(sound, sound.account(id).orElseThrow());
    assertThat(audit.problems()).isEmpty();
  }
}
