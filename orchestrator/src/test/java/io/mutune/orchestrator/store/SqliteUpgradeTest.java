package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that earlier versions left. */
class SqliteUpgradeTest {
  private static final String ACCOUNT = "people";
  private static final ApproximateGaussianDp COST =
      ApproximateGaussianDp.of(GaussianDp.of(Mu.of(0.25)));

  @TempDir Path folder;

  private void create(StudyStore store, String study) {
    store.create(
        StoreHarness.record(study, folder),
        1,
        new AccountClaim(Optional.of(ACCOUNT), COST, Adjacency.ADD_REMOVE, List.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11})
  void aStoreOfAnEarlierLayout_keepsItsAccountsChargesAndHashes(int layout) throws Exception {
    Path path = folder.resolve("mutune.db");
    List<AccountEntry> entries;
    try (StudyStore store = Stores.open(path)) {
      store.createAccount(
          new AccountRecord(
              ACCOUNT,
              "0123456789abcdef",
              Instant.parse("2026-01-02T03:04:05Z"),
              Adjacency.ADD_REMOVE,
              ApproximateGaussianDp.of(GaussianDp.of(Mu.of(1))),
              Optional.empty()));
      create(store, "0000000a");
      store.reserve("0000000a", StoreHarness.FILTER, StoreHarness.charge("final", 1000));
      store.move("0000000a", StudyState.CANCELLED);
      create(store, "0000000b");
      entries = store.accountEntries(ACCOUNT);
    }
    assertThat(entries)
        .extracting(AccountEntry::kind)
        .containsExactly(
            AccountEntry.Kind.RESERVED, AccountEntry.Kind.SETTLED, AccountEntry.Kind.RESERVED);
    EarlierLayouts.leave(path, layout);

    try (StudyStore store = Stores.openExisting(path)) {
      assertThat(store.damage()).isEmpty();
      assertThat(store.accountEntries(ACCOUNT)).isEqualTo(entries);
      assertThat(store.accountLedger(ACCOUNT).problem()).isEmpty();
      assertThat(store.ledger("0000000a").problem()).isEmpty();
      assertThat(store.charges("0000000a")).hasSize(1);
      store.move("0000000b", StudyState.CANCELLED);
      create(store, "0000000c");
      assertThat(store.accountLedger(ACCOUNT).problem()).isEmpty();
      assertThat(store.accountEntries(ACCOUNT)).hasSize(5);
    }
    assertThatThrownBy(
            () -> EarlierLayouts.raw(path, List.of("UPDATE account_entry SET mu = '0.0'")))
        .hasMessageContaining("an entry is never changed");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 9})
  void aStoreOfAnOlderLayout_isRefusedAndLeftAsItIs(int layout) throws Exception {
    Path path = folder.resolve("mutune.db");
    EarlierLayouts.raw(
        path,
        List.of(
            "CREATE TABLE study (id TEXT PRIMARY KEY)",
            "PRAGMA application_id = " + SqliteFile.APPLICATION,
            "PRAGMA user_version = " + layout));
    byte[] before = Files.readAllBytes(path);
    assertThatThrownBy(() -> Stores.openExisting(path))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("layout " + layout + ",")
        .hasMessageContaining("revision c6408f8 of Mutune upgrades it");
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }
}
