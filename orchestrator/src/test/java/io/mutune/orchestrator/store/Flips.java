package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;

/** Flips single bits of what a ledger's row says, one after the other. */
final class Flips {
  private Flips() {}

  /** Looks at what was done, before it is undone. */
  interface Look {
    void at(String change) throws SQLException;
  }

  /** Flips a bit at every position of a cell; in the connection's transaction. */
  static int each(
      Connection connection, String table, String column, int entry, Random random, Look look)
      throws SQLException {
    String was = cell(connection, table, column, entry);
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE " + table + " SET " + column + " = ? WHERE entry = ?")) {
      for (int at = 0; at < was.length(); at++) {
        String now = flipped(was, at, random);
        set(update, now, entry);
        look.at("%s of entry %s: '%s' became '%s'".formatted(column, entry, was, now));
        set(update, was, entry);
      }
    }
    return was.length();
  }

  /** Turns one of the low bits, so that what comes out is text in any database. */
  private static String flipped(String text, int at, Random random) {
    char to;
    do {
      to = (char) (text.charAt(at) ^ (1 << random.nextInt(7)));
    } while (to < ' ' || to == 127);
    return text.substring(0, at) + to + text.substring(at + 1);
  }

  private static String cell(Connection connection, String table, String column, int entry)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + column + " FROM " + table + " WHERE entry = ?")) {
      statement.setInt(1, entry);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getString(1);
      }
    }
  }

  private static void set(PreparedStatement update, String value, int entry) throws SQLException {
    update.setString(1, value);
    update.setInt(2, entry);
    assertThat(update.executeUpdate()).isOne();
  }
}
