package io.mutune.orchestrator.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Makes an embedded store what an earlier version would have left of it. */
public final class EarlierLayouts {
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

  private EarlierLayouts() {}

  /**
   * Undoes what later layouts changed.
   *
   * @param layout 10 or 11
   */
  public static void leave(Path store, int layout) throws SQLException {
    raw(store, TO_LAYOUT_11);
    if (layout == 10) {
      raw(store, TO_LAYOUT_10);
    }
  }

  static void raw(Path path, List<String> statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
  }
}
