package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoreTest extends StudyStoreContract {
  @TempDir Path folder;

  @Override
  StudyStore open() {
    return SqliteStore.open(path());
  }

  @Override
  void raw(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  Path home() {
    return folder.resolve("new/folders");
  }

  private Path path() {
    return home().resolve("mutune.db");
  }

  /** REPLACE deletes what stands in its way without asking a trigger on deletion. */
  @ParameterizedTest
  @ValueSource(strings = {"INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"})
  void aCharge_cannotBeReplaced(String insert) {
    StoredCharge charge = store.reserve(ID, FILTER, charge("trial 1", 1000));
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
      assertThat(file.query("PRAGMA journal_mode", row -> row.getString(1))).containsExactly("wal");
      assertThat(file.query("PRAGMA synchronous", row -> row.getInt(1))).containsExactly(2);
      assertThat(file.query("PRAGMA foreign_keys", row -> row.getInt(1))).containsExactly(1);
      assertThat(file.query("PRAGMA busy_timeout", row -> row.getInt(1))).containsExactly(5000);
      assertThat(file.query("PRAGMA application_id", row -> row.getInt(1)))
          .containsExactly(SqliteFile.APPLICATION);
    }
  }

  @Test
  void aTransactionThatFails_leavesNothingAndFreesTheStore() {
    try (SqliteFile file = SqliteFile.openExisting(path())) {
      assertThatThrownBy(
              () ->
                  file.write(
                      () -> {
                        file.update("UPDATE study SET seconds = 9");
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

  @Test
  void aMovedStore_findsItsStudiesBesideIt() throws Exception {
    store.close();
    Path moved = folder.resolve("moved");
    Files.move(home(), moved);
    try (StudyStore opened = SqliteStore.openExisting(moved.resolve("mutune.db"))) {
      assertThat(opened.study(ID).orElseThrow().output()).isEqualTo(moved.resolve("study-" + ID));
    }
  }
}
