package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresStoreTest extends StoreConformance {
  @TempDir Path folder;
  private final StoreLocation.Postgres database = PostgresServer.get().schema();

  @Override
  public StudyStore open() {
    return Stores.open(database, folder);
  }

  @Override
  public void raw(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return PostgresServer.connect(database);
  }

  @Override
  public void unlock() throws SQLException {
    for (String table : List.of("charge", "study", "account_entry", "event", "release", "trial")) {
      raw("ALTER TABLE " + table + " DISABLE TRIGGER USER");
    }
  }

  @Override
  public List<String> withoutKeys(String table) {
    List<String> drops = new ArrayList<>();
    for (String key : List.of("study", "account")) {
      drops.add("ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s_%s_fkey".formatted(table, table, key));
    }
    return drops;
  }

  @Override
  public Path home() {
    return folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"charge", "study CASCADE", "trial", "release", "event"})
  void tablesAreNotEmptiedAtOnceEither(String table) {
    assertThatThrownBy(() -> raw("TRUNCATE " + table)).hasMessageContaining("never");
  }

  @Test
  void triggersThatAreDisabledOrDropped_areDamage() throws SQLException {
    assertThat(store().damage()).isEmpty();
    raw("ALTER TABLE charge DISABLE TRIGGER charge_is_never_refunded");
    raw("DROP TRIGGER trial_only_goes_on ON trial");
    assertThat(store().damage())
        .containsExactly(
            "the trigger charge_is_never_refunded of table charge is missing, disabled or another"
                + " one",
            "the trigger trial_only_goes_on of table trial is missing, disabled or another one");
  }

  @Test
  void aFunctionThatRefusesNothing_isDamageOfAllTriggers() throws SQLException {
    raw(
        "CREATE OR REPLACE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN NEW; END $$");
    assertThat(store().damage()).hasSizeGreaterThan(20);
  }

  /** All but off sync here before they acknowledge, and differ in what they ask of replicas. */
  @Test
  void aServerThatAcknowledgesBeforeItSyncs_isRefused() {
    StoreLocation.Postgres own = PostgresServer.get().database();
    String setting =
        "ALTER DATABASE " + own.url().replaceFirst(".*/", "") + " SET synchronous_commit = ";
    for (String commit : new String[] {"local", "remote_write", "on"}) {
      PostgresServer.execute(own, setting + commit);
      Stores.open(own, folder).close();
    }
    PostgresServer.execute(own, setting + "off");
    assertThatThrownBy(() -> Stores.open(own, folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("synchronous_commit = off");
  }

  /**
   * Charges decide by what they read after a lock, whatever snapshot the server would give them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void aServerOfAnotherIsolation_makesNoChargeFail(String isolation) throws Exception {
    StoreLocation.Postgres own = PostgresServer.get().database();
    PostgresServer.execute(
        own,
        "ALTER DATABASE %s SET default_transaction_isolation = '%s'"
            .formatted(own.url().replaceFirst(".*/", ""), isolation));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (StudyStore opened = Stores.open(own, folder)) {
      opened.create(record(ID), 0, AccountClaim.NONE);
      // Each reads a ledger in a snapshot, whose connection then decides about charges.
      Callable<LedgerHead> looking = () -> opened.ledger(ID).requireHead(ID);
      for (Future<LedgerHead> head : threads.invokeAll(Collections.nCopies(40, looking))) {
        head.get();
      }
      List<Callable<StoredCharge>> asking = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String what = "question " + i;
        asking.add(() -> opened.reserve(ID, FILTER, StoreHarness.charge(what, 1000)));
      }
      for (Future<StoredCharge> answer : threads.invokeAll(asking)) {
        answer.get();
      }
      assertThat(opened.charges(ID)).hasSize(40);
      assertThat(opened.ledger(ID).problem()).isEmpty();
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aDatabaseOfBeforeDataSets_keepsItsAccountsChargesAndHashes() throws SQLException {
    createAccount(1);
    store.create(record("aaaaaaaa"), 1, AccountsContract.claim(0.25, "/rows"));
    store.reserve("aaaaaaaa", FILTER, StoreHarness.charge("final", 1000));
    store.move("aaaaaaaa", StudyState.CANCELLED);
    store.create(record("bbbbbbbb"), 1, AccountsContract.claim(0.25, "/rows"));
    List<AccountEntry> entries = store.accountEntries(DIGITS);
    raw("DROP TABLE data_set");
    raw("ALTER TABLE account_file DROP COLUMN registered");
    raw("DELETE FROM flyway_schema_history WHERE version = '7'");

    try (StudyStore upgraded = Stores.openExisting(database, folder)) {
      assertThat(upgraded.damage()).isEmpty();
      assertThat(upgraded.accountEntries(DIGITS)).isEqualTo(entries).hasSize(3);
      assertThat(upgraded.accountLedger(DIGITS).problem()).isEmpty();
      assertThat(upgraded.ledger("aaaaaaaa").problem()).isEmpty();
      assertThat(upgraded.charges("aaaaaaaa")).hasSize(1);
      assertThat(upgraded.dataSets()).isEmpty();
      upgraded.move("bbbbbbbb", StudyState.CANCELLED);
      upgraded.create(record("cccccccc"), 1, AccountsContract.claim(0.25, "/rows"));
      assertThat(upgraded.accountEntries(DIGITS)).hasSize(5);
      assertThat(upgraded.accountLedger(DIGITS).problem()).isEmpty();
    }
  }

  /** As the server reads them: a name that is not quoted, and one that stands for the user. */
  @Test
  void aSchemaThatIsNotThereYet_isMadeByItsName() {
    StoreLocation.Postgres other = PostgresServer.get().database();
    PostgresServer.execute(other, "DROP SCHEMA public");
    for (String options :
        List.of(
            "?currentSchema=Foo",
            "?currentSchema=%22A.b%22",
            "?currentSchema=my-x,public",
            "?currentSchema=%C3%84pp",
            "")) {
      StoreLocation.Postgres location =
          new StoreLocation.Postgres(other.url() + options, other.user(), other.password());
      Stores.open(location, folder).close();
      try (StudyStore there = Stores.openExisting(location, folder)) {
        assertThat(there.studies()).isEmpty();
      }
    }
  }

  @Test
  void aDatabaseOfAnotherProgram_isLeftAlone() throws SQLException {
    StoreLocation.Postgres other = PostgresServer.get().database();
    PostgresServer.execute(other, "CREATE TABLE theirs (id INTEGER)");
    assertThatThrownBy(() -> Stores.open(other, folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("another program");
    assertThatThrownBy(() -> Stores.openExisting(other, folder))
        .hasMessageContaining("there is no store here");
  }

  @Test
  void aDatabaseOfANewerVersion_isLeftAlone() throws SQLException {
    raw(
        "INSERT INTO flyway_schema_history SELECT 99, '99', 'later', type, script, checksum,"
            + " installed_by, installed_on, execution_time, success FROM flyway_schema_history"
            + " WHERE version = '1'");
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("another version");
  }

  @Test
  void missingRights_areToldInTheServersWords() throws SQLException {
    StoreLocation.Postgres other = PostgresServer.get().database();
    String role = "reader_" + ProcessHandle.current().pid();
    PostgresServer.execute(other, "CREATE ROLE " + role + " LOGIN PASSWORD 'reader'");
    StoreLocation.Postgres reader =
        new StoreLocation.Postgres(other.url(), Optional.of(role), Optional.of("reader"));
    try {
      PostgresServer.execute(other, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      assertThatThrownBy(() -> Stores.open(reader, folder))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the store cannot be used: ")
          .hasMessageContaining("permission denied for schema public")
          .hasMessageNotContaining("another program");
    } finally {
      PostgresServer.execute(other, "DROP ROLE " + role);
    }
  }

  @Test
  void whatCannotBeReached_isSaidInOneLineWithoutThePassword() {
    StoreLocation nobody =
        StoreLocation.of("postgresql://me:hunter2@localhost:1/db?loginTimeout=1");
    assertThatThrownBy(() -> Stores.open(nobody, folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining("localhost:1")
        .hasMessageNotContaining("hunter2")
        .message()
        .doesNotContain("\n");
    StoreLocation.Postgres absent =
        new StoreLocation.Postgres(
            database.url().replace("?", "_none?"), database.user(), Optional.of("hunter2"));
    assertThatThrownBy(() -> Stores.open(absent, folder))
        .hasMessageContaining("no such database")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void connectionsThatWereCut_asByARestartOfTheServer_areReplaced() throws SQLException {
    store.reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000));
    for (int number = 2; number <= 4; number++) {
      raw(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
      store.reserve(ID, FILTER, StoreHarness.charge("trial " + number, 1000));
      assertThat(store.charges(ID)).hasSize(number);
    }
  }
}
