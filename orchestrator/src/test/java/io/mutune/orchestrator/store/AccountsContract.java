package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanFilter;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.orchestrator.sweep.NamedFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every store keeps of data set accounts: nobody overspends one, not even at the same time.
 */
interface AccountsContract extends LedgerChainContract {
  String DIGITS = "digits";

  default AccountRecord createAccount(double mu) {
    AccountRecord account =
        new AccountRecord(
            DIGITS,
            "00112233445566778899aabbccddeeff",
            Instant.parse("2026-01-02T03:04:05.6Z"),
            Adjacency.ADD_REMOVE,
            ApproximateGaussianDp.of(GaussianDp.of(Mu.of(mu))),
            Optional.of("the owner's"));
    store().createAccount(account);
    return account;
  }

  static AccountClaim claim(double mu, String... files) {
    return new AccountClaim(
        Optional.of(DIGITS),
        ApproximateGaussianDp.of(GaussianDp.of(Mu.of(mu))),
        Adjacency.ADD_REMOVE,
        files(files));
  }

  /** Files whose rows are read against charges. */
  static List<NamedFile> files(String... paths) {
    return Stream.of(paths)
        .map(path -> new NamedFile("data.private", Path.of(path), NamedFile.Use.CHARGED))
        .toList();
  }

  default AccountStanding standing() {
    return AccountStanding.of(
        store().account(DIGITS).orElseThrow(), store().accountEntries(DIGITS));
  }

  @Test
  default void anAccount_comesBackAsItWasMade_andIsMadeOnce() {
    AccountRecord account = createAccount(1.0 / 3);
    try (StudyStore other = open()) {
      assertThat(other.account(DIGITS)).contains(account);
      assertThat(other.accounts()).containsExactly(account);
      assertThat(other.accountLedger(DIGITS).problem()).isEmpty();
    }
    assertThat(store().account("others")).isEmpty();
    assertThatThrownBy(() -> createAccount(5)).isInstanceOf(AccountRefusedException.class);
    assertThat(standing().left().mu().value()).isEqualTo(1.0 / 3);
  }

  /** When it ended would tell how long the secret runs took, and so how many there were. */
  @Test
  default void aStudyOfSecretRuns_isSettledAtTheTimeOfTheirCharge_orOfALaterEntry() {
    Charge runs =
        new Charge(
            "runs",
            new RepeatAndSelect(
                new Gaussian(NoiseMultiplier.of(1000), 1, 1), new PoissonTrials(5)));
    PlanFilter plan = new PlanFilter(BUDGET, List.of(runs));
    createAccount(1);
    store().create(record("aaaaaaaa"), 1, claim(0.1));
    store().move("aaaaaaaa", StudyState.RUNNING);
    Instant first = store().reserve("aaaaaaaa", plan, runs).reserved();
    store().move("aaaaaaaa", StudyState.FINISHED);
    store().create(record("bbbbbbbb"), 1, claim(0.1));
    store().move("bbbbbbbb", StudyState.RUNNING);
    store().reserve("bbbbbbbb", plan, runs);
    store().create(record("cccccccc"), 1, claim(0.1));
    store().move("bbbbbbbb", StudyState.FINISHED);
    List<Instant> times = store().accountEntries(DIGITS).stream().map(AccountEntry::at).toList();
    assertThat(times.get(1)).isEqualTo(first);
    assertThat(times.get(4)).isEqualTo(times.get(3));
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
  }

  @Test
  default void aStudyThatDoesNotFit_isRefusedWithTheNumbers_andKept() {
    createAccount(0.5);
    store().create(record("aaaaaaaa"), 1, claim(0.4));
    assertThatThrownBy(() -> store().create(record("bbbbbbbb"), 1, claim(0.4)))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessage(
            "over the account 'digits': asked for mu 0.4 with mu 0.4 spent or reserved and mu"
                + " 0.299999 left of mu 0.5 (costs and budgets are rounded up, what is left down)");
    StudyRecord refused = store().study("bbbbbbbb").orElseThrow();
    assertThat(refused.state()).isEqualTo(StudyState.REFUSED);
    assertThat(refused.reason().orElseThrow()).contains("mu 0.299999 left");
    assertThat(store().accountEntries(DIGITS)).hasSize(1);
    assertThatThrownBy(
            () -> store().reserve("bbbbbbbb", FILTER, StoreHarness.charge("trial 1", 1000)))
        .isInstanceOf(StoreException.class);
    store().create(record("cccccccc"), 1, claim(0.299999));
    assertThat(standing().left().mu().value()).isLessThan(1e-3);
  }

  /** Room for ten, and for half of an eleventh; several connections, pools and threads. */
  @Test
  default void fiftyStudiesAtOnce_againstRoomForTen_areTenAccepted() throws Exception {
    AccountRecord account = createAccount(Math.sqrt(10.5) * 0.1);
    List<StudyStore> stores = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      stores.add(open());
    }
    ExecutorService threads = Executors.newFixedThreadPool(25);
    List<Callable<Boolean>> asking = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      StudyStore mine = stores.get(i % stores.size());
      String id = "%08x".formatted(i + 1);
      asking.add(
          () -> {
            try {
              mine.create(record(id), 1, claim(0.1));
              return true;
            } catch (AccountRefusedException e) {
              return false;
            }
          });
    }
    int accepted = 0;
    for (Future<Boolean> answer :
        threads.invokeAll(asking.stream().map(StoreHarness::patient).toList())) {
      accepted += answer.get() ? 1 : 0;
    }
    threads.shutdown();
    stores.forEach(StudyStore::close);
    assertThat(accepted).isEqualTo(10);
    assertThat(store().accountEntries(DIGITS)).hasSize(10);
    assertThat(standing().held().mu().value()).isLessThanOrEqualTo(account.cap().mu().value());
    assertThat(store().studies().stream().filter(s -> s.state() == StudyState.REFUSED)).hasSize(40);
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = StudyState.class,
      names = {"FINISHED", "CANCELLED"})
  default void aStudyThatEnds_leavesWhatItWasNeverChargedFor(StudyState end) {
    createAccount(1);
    store().create(record("aaaaaaaa"), 1, claim(0.5));
    store().move("aaaaaaaa", StudyState.RUNNING);
    store().reserve("aaaaaaaa", FILTER, StoreHarness.charge("trial 1", 20)); // μ = √10/20
    store().move("aaaaaaaa", end);
    assertThat(store().accountEntries(DIGITS))
        .extracting(AccountEntry::kind)
        .containsExactly(AccountEntry.Kind.RESERVED, AccountEntry.Kind.SETTLED);
    double charged = Math.sqrt(10) / 20;
    assertThat(standing().settled().mu().value())
        .isBetween(charged * (1 - 1e-15), charged * (1 + 1e-12));
    assertThat(standing().reserved().mu().value()).isZero();
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
    assertThatThrownBy(
            () -> store().reserve("aaaaaaaa", FILTER, StoreHarness.charge("trial 2", 1000)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing more is charged");
  }

  @Test
  default void aStudyThatMayGoOn_holdsAllThatItReserved() {
    createAccount(1);
    store().create(record("aaaaaaaa"), 1, claim(0.5));
    for (StudyState state :
        List.of(StudyState.RUNNING, StudyState.PAUSED, StudyState.RUNNING, StudyState.FAILED)) {
      store().move("aaaaaaaa", state);
      assertThat(standing().reserved().mu().value()).isEqualTo(0.5);
    }
    store().move("aaaaaaaa", StudyState.CANCELLED);
    assertThat(standing().left().mu().value()).isEqualTo(1);
    store().create(record("bbbbbbbb"), 1, claim(1));
  }

  @Test
  default void aFile_isKnownAgain_whateverAStudyCallsItsAccount() {
    createAccount(1);
    store().create(record("aaaaaaaa"), 1, claim(0.1, "/data/rows.csv"));
    AccountClaim without =
        new AccountClaim(
            Optional.empty(),
            ApproximateGaussianDp.NONE,
            Adjacency.ADD_REMOVE,
            files("/data/rows.csv"));
    assertThatThrownBy(() -> store().create(record("bbbbbbbb"), 1, without))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("budget.account: digits");
    assertThat(store().study("bbbbbbbb")).isEmpty();
    store().create(record("cccccccc"), 1, claim(0.1, "/data/rows.csv"));
  }

  @Test
  default void anAccountThatIsNotThere_orHidesSomethingElse_isRefused() {
    assertThatThrownBy(() -> store().create(record("aaaaaaaa"), 1, claim(0.1)))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("there is no account 'digits'");
    createAccount(1);
    AccountClaim other =
        new AccountClaim(
            Optional.of(DIGITS),
            ApproximateGaussianDp.of(GaussianDp.of(Mu.of(0.1))),
            Adjacency.REPLACE_ONE,
            List.of());
    assertThatThrownBy(() -> store().create(record("aaaaaaaa"), 1, other))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("replace-one");
    assertThat(store().study("aaaaaaaa")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE account SET mu = '100.0'",
        "UPDATE account SET head = ''",
        "DELETE FROM account",
        "UPDATE account_entry SET mu = '0.0'",
        "UPDATE account_entry SET study = '0a1b2c3d'",
        "DELETE FROM account_entry"
      })
  default void anAccount_cannotBeChanged_evenBehindTheStoresBack(String sql) {
    createAccount(1);
    store().create(record("aaaaaaaa"), 1, claim(0.5));
    assertThatThrownBy(() -> raw(sql)).isInstanceOf(SQLException.class);
    assertThat(standing().held().mu().value()).isEqualTo(0.5);
  }

  /** All columns of all entries; see the same of charges. */
  @Test
  default void aByteThatIsFlippedAnywhereInAnAccount_isFound_andItsEntryNamed() throws Exception {
    createAccount(1);
    for (String id : List.of("aaaaaaaa", "bbbbbbbb", "cccccccc")) {
      store().create(record(id), 1, claim(0.25));
      store().move(id, StudyState.CANCELLED);
    }
    unlock();
    long seed = System.nanoTime();
    System.out.println("flipped bytes of an account: seed " + seed);
    Random random = new Random(seed);
    try (Connection connection = connect();
        Statement free = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : withoutKeys("account_entry")) {
        free.execute(sql);
      }
      for (int entry = 1; entry <= 6; entry++) {
        for (String column : List.of("account", "kind", "study", "mu", "at", "hash")) {
          int number = entry;
          Flips.each(
              connection,
              "account_entry",
              column,
              entry,
              random,
              change ->
                  assertThat(
                          LedgerTable.ACCOUNT
                              .check(new Session(connection, "here"), DIGITS)
                              .problem()
                              .orElse("nothing found"))
                      .as(change)
                      .startsWith("entry " + number + " "));
        }
      }
      connection.rollback();
    }
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
  }
}
