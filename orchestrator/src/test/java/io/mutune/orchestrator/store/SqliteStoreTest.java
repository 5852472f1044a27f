package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoreTest extends StoreConformance {
  @TempDir Path folder;

  @Override
  public StudyStore open() {
    return Stores.open(path());
  }

  @Override
  public void raw(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + path());
  }

  @Override
  public void unlock() throws SQLException {
    for (String trigger :
        List.of(
            "charge_is_never_changed",
            "charge_is_never_refunded",
            "study_is_never_another",
            "ledger_only_grows",
            "account_entry_is_never_changed",
            "event_is_never_changed",
            "event_is_never_forgotten",
            "release_is_never_changed",
            "release_is_never_forgotten",
            "trial_is_never_forgotten")) {
      raw("DROP TRIGGER " + trigger);
    }
  }

  @Override
  public Path home() {
    return folder.resolve("new/folders");
  }

  private Path path() {
    return home().resolve("mutune.db");
  }

  /** REPLACE deletes what stands in its way without asking a trigger on deletion. */
  @ParameterizedTest
  @ValueSource(strings = {"INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"})
  void aCharge_cannotBeReplaced(String insert) {
    StoredCharge charge = store.reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000));
    String columns = " INTO charge(sequence, study, what, mechanism, parameters, reserved) VALUES ";
    assertThatThrownBy(
            () -> raw(insert + columns + "(NULL, '" + ID + "', 'trial 1', 'none', '{}', '')"))
        .hasMessageContaining("charged once");
    assertThatThrownBy(
            () ->
                raw(
                    "%s%s(%d, '%s', 'another', 'none', '{}', '')"
                        .formatted(insert, columns, charge.sequence(), ID)))
        .hasMessageContaining("charged once");
    assertThat(store.charges(ID)).extracting(StoredCharge::charge).containsExactly(charge.charge());
  }

  @Test
  void itsFile_isWrittenAheadAndSyncedAtEveryCommit() {
    try (SqliteFile file = SqliteFile.openExisting(path())) {
      assertThat(ask(file, "PRAGMA journal_mode", row -> row.getString(1))).containsExactly("wal");
      assertThat(ask(file, "PRAGMA synchronous", row -> row.getInt(1))).containsExactly(2);
      assertThat(ask(file, "PRAGMA foreign_keys", row -> row.getInt(1))).containsExactly(1);
      assertThat(ask(file, "PRAGMA busy_timeout", row -> row.getInt(1))).containsExactly(5000);
      assertThat(ask(file, "PRAGMA application_id", row -> row.getInt(1)))
          .containsExactly(SqliteFile.APPLICATION);
    }
  }

  private static <T> List<T> ask(SqliteFile file, String sql, Session.RowReader<T> reader) {
    return file.read(session -> session.query(sql, reader));
  }

  @Test
  void aTransactionThatFails_leavesNothingAndFreesTheStore() {
    try (SqliteFile file = SqliteFile.openExisting(path())) {
      assertThatThrownBy(
              () ->
                  file.write(
                      s -> {
                        s.update("UPDATE study SET seconds = 9");
                        throw new IllegalStateException("on purpose");
                      }))
          .hasMessage("on purpose");
    }
    assertThat(store.study(ID).orElseThrow().seconds()).isZero();
    store.addSeconds(ID, 1);
  }

  @Test
  void aRowThatMakesNoSense_isAFaultOfTheStore() throws SQLException {
    raw("UPDATE trial SET state = 'LOST' WHERE number = 1");
    assertThatThrownBy(() -> store.trial(ID, 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  /** What a bit that is turned in a record's header makes of a text; it reads as that text. */
  @ParameterizedTest
  @CsvSource({
    "charge, reserved",
    "charge, mechanism",
    "charge, hash",
    "event, content",
    "event, hash",
    "study, context",
    "study, head",
  })
  void aTextThatIsHeldAsABlob_isDamage(String table, String column) throws SQLException {
    store.reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000));
    assertThat(store.damage()).isEmpty();
    unlock();
    raw(
        "UPDATE %1$s SET %2$s = CAST(%2$s AS BLOB) WHERE rowid = (SELECT max(rowid) FROM %1$s)"
            .formatted(table, column));
    assertThat(store.ledger(ID).problem()).isEmpty();
    String unlocked = "the trigger \\S+ is missing";
    assertThat(store.damage().stream().filter(line -> line.matches(unlocked))).hasSize(10);
    assertThat(store.damage().stream().filter(line -> !line.matches(unlocked)))
        .singleElement()
        .asString()
        .matches(
            "row [0-9]+ of table %s has a value of type blob in column %s, which is of type text"
                .formatted(table, column));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sweepFolder", "workingFolder", "variables"})
  void aContextThatLacksAValue_isAFaultOfTheStore(String key) throws SQLException {
    unlock();
    raw("UPDATE study SET context = replace(context, '" + key + "', 'another')");
    assertThatThrownBy(() -> store.study(ID))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
    assertThat(store.ledger(ID).problem().orElseThrow()).startsWith("entry 1 ");
  }

  /** Else a ledger that was cut to nothing would be taken for one that has spent nothing. */
  @Test
  void aStoreThatWasEmptied_isNotTakenForANewOne() throws Exception {
    store.close();
    Files.write(path(), new byte[0]);
    assertThatThrownBy(() -> Stores.openExisting(path()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the store is missing or empty, and its witness");
    assertThat(Files.size(path())).isZero();
  }

  @Test
  void aMovedStore_findsItsStudiesBesideIt() throws Exception {
    store.close();
    Path moved = folder.resolve("moved");
    Files.move(home(), moved);
    try (StudyStore opened = Stores.openExisting(moved.resolve("mutune.db"))) {
      assertThat(opened.study(ID).orElseThrow().output()).isEqualTo(moved.resolve("study-" + ID));
    }
  }

  @Test
  void aNameWithOptions_andWhatIsNoFile_areRefused() {
    assertThatThrownBy(() -> Stores.open(home().resolve("s?synchronous=OFF")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the store needs another name");
    assertThatThrownBy(() -> Stores.open(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith("is not a regular file, as a store is");
  }

  /** SQLite makes its file by the mask of the process, and the users of one are those of both. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aWitness_hasTheRightsOfTheStore() throws IOException {
    Path witness = home().resolve("mutune.db.witness");
    assertThat(Files.getPosixFilePermissions(witness))
        .isEqualTo(Files.getPosixFilePermissions(path()));
    assertThat(home().toFile().list((place, name) -> name.endsWith(".new"))).isEmpty();
  }

  /** As after a first command by the administrator. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aLock_isUsedByWhoeverMayWriteToTheStore_andNobodyElse() throws IOException {
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    if (isRoot) {
      Files.setAttribute(path(), "unix:uid", 65534);
      Files.setAttribute(path(), "unix:gid", 65534);
    }
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-rw-r--"));
    store.hold(ID).close();
    Path locks = home().resolve(".locks");
    Path lock = locks.resolve("mutune.db-" + ID);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(locks)))
        .isEqualTo("rwxrwx---");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
        .isEqualTo("rw-rw----");
    for (Path made : List.of(locks, lock)) {
      for (String whose : List.of("unix:uid", "unix:gid")) {
        assertThat(Files.getAttribute(made, whose)).isEqualTo(Files.getAttribute(path(), whose));
      }
    }
  }
}
