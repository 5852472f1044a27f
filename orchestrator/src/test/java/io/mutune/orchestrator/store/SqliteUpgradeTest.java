package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
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

  /** What layout 12 changed, undone. */
  private static final List<String> TO_LAYOUT_11 =
      List.of(
          "DROP TABLE data_set",
          "DROP TRIGGER account_entry_is_of_a_study",
          "ALTER TABLE account_file DROP COLUMN registered",
          """
          CREATE TRIGGER account_entry_is_of_a_study BEFORE INSERT ON account_entry
          WHEN NEW.kind <> 'LOST' AND NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study)
          BEGIN SELECT RAISE(ABORT, 'there is no such study'); END""",
          "PRAGMA user_version = 11");

  /** What layout 11 changed, undone: the texts are those that layouts 8 to 10 were made with. */
  private static final List<String> TO_LAYOUT_10 =
      List.of(
          "DROP TABLE adoption",
          "CREATE TABLE kept AS SELECT * FROM account_entry",
          "DROP TABLE account_entry",
          """
          CREATE TABLE account_entry (
            account TEXT NOT NULL REFERENCES account(name),
            entry INTEGER NOT NULL,
            kind TEXT NOT NULL,
            study TEXT NOT NULL REFERENCES study(id),
            mu TEXT NOT NULL,
            at TEXT NOT NULL,
            hash TEXT NOT NULL,
            PRIMARY KEY (account, entry),
            UNIQUE (study, kind)
          )""",
          "INSERT INTO account_entry SELECT * FROM kept",
          "DROP TABLE kept",
          """
          CREATE TRIGGER account_entry_is_never_changed BEFORE UPDATE ON account_entry
          BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END""",
          """
          CREATE TRIGGER account_entry_is_never_deleted BEFORE DELETE ON account_entry
          BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END""",
          """
          CREATE TRIGGER account_entry_is_never_replaced BEFORE INSERT ON account_entry
          WHEN EXISTS (
            SELECT 1 FROM account_entry
            WHERE (account = NEW.account AND entry = NEW.entry)
              OR (study = NEW.study AND kind = NEW.kind)
          )
          BEGIN SELECT RAISE(ABORT, 'an entry is made once'); END""",
          "PRAGMA user_version = 10");

  @TempDir Path folder;

  private void create(StudyStore store, String study) {
    store.create(
        StoreHarness.record(study, folder),
        1,
        new AccountClaim(Optional.of(ACCOUNT), COST, Adjacency.ADD_REMOVE, List.of()));
  }

  private static void raw(Path path, List<String> statements) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
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
    raw(path, TO_LAYOUT_11);
    if (layout == 10) {
      raw(path, TO_LAYOUT_10);
    }

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
    assertThatThrownBy(() -> raw(path, List.of("UPDATE account_entry SET mu = '0.0'")))
        .hasMessageContaining("an entry is never changed");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 9})
  void aStoreOfAnOlderLayout_isRefusedAndLeftAsItIs(int layout) throws Exception {
    Path path = folder.resolve("mutune.db");
    raw(
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
