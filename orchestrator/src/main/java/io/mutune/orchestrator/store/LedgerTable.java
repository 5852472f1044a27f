package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables whose rows own a chained ledger: a study owns its charges and events, an account its
 * entries. The row holds the number of entries and the hash of the last one. Whoever adds an entry
 * has locked the row.
 */
enum LedgerTable {
  STUDY("id", "id, name, created, definition, context, output, noise, original", "original"),
  ACCOUNT("name", "name, identity, created, adjacency, mu, fingerprint", "1");

  private final String key;

  /** Columns that never change; the first entry is chained to them. */
  private final String start;

  /** The first entry that was chained when it was made. */
  private final String original;

  LedgerTable(String key, String start, String original) {
    this.key = key;
    this.start = start;
    this.original = original;
  }

  /** The last entry of a ledger, or the next one to be made, and the hash before the next one. */
  record Place(long entry, String hash) {}

  /** Returns "study" or "account", which is the table's name too. */
  String word() {
    return this == STUDY ? "study" : "account";
  }

  private String where() {
    return " FROM " + word() + " WHERE " + key + " = ?";
  }

  /** Begins the ledger of a study whose other columns are stored. */
  static void beginStudy(Session session, String study) throws SQLException {
    String head = STUDY.start(session, study);
    session.update("UPDATE study SET head = ? WHERE id = ?", head, study);
    session.moved(new Mark(STUDY, study, 0, head, Optional.of("0.0")));
  }

  private String start(Session session, String id) throws SQLException {
    return session
        .first(
            "SELECT " + start + where(),
            row -> {
              @Nullable String[] fields = new @Nullable String[row.getMetaData().getColumnCount()];
              for (int i = 0; i < fields.length; i++) {
                fields[i] = row.getString(i + 1);
              }
              return Chain.start(fields);
            },
            id)
        .orElseThrow(() -> missing(id));
  }

  private StoreException missing(String id) {
    return StoreException.damaged("no " + word() + " " + id);
  }

  /** Returns the last entry by the row that owns the ledger, if there is such a row. */
  Optional<Place> end(Session session, String id) throws SQLException {
    return session.first(
        "SELECT entries, head" + where(), row -> new Place(row.getLong(1), row.getString(2)), id);
  }

  /** Returns the last entries of all ledgers, without what they cost. */
  List<Mark> ends(Session session) throws SQLException {
    return session.query(
        "SELECT " + key + ", entries, head FROM " + word(),
        row ->
            new Mark(this, row.getString(1), row.getLong(2), row.getString(3), Optional.empty()));
  }

  /** Returns the number of the next entry and the hash that it is chained to. */
  Place next(Session session, String id) throws SQLException {
    Place end = end(session, id).orElseThrow(() -> missing(id));
    if (!hash(session, id, end.entry()).equals(Optional.of(end.hash()))) {
      throw StoreException.damaged(
          word() + " " + id + ": its ledger does not end with entry " + end.entry());
    }
    return new Place(end.entry() + 1, end.hash());
  }

  /**
   * Notes that an entry was added.
   *
   * @param mu that is charged or held from now on; empty where the entry does not change that
   */
  void moveOn(Session session, String id, long entry, String hash, Optional<String> mu)
      throws SQLException {
    session.update(
        "UPDATE " + word() + " SET entries = ?, head = ? WHERE " + key + " = ?", entry, hash, id);
    session.moved(new Mark(this, id, entry, hash, mu));
  }

  /** Returns the hash of an entry, if there is one; entry 0 is what the first is chained to. */
  Optional<String> hash(Session session, String id, long entry) throws SQLException {
    if (entry == 0) {
      return Optional.of(start(session, id));
    }
    for (String table : this == STUDY ? List.of("charge", "event") : List.of("account_entry")) {
      Optional<String> hash =
          session.text(
              "SELECT hash FROM " + table + " WHERE " + word() + " = ? AND entry = ?", id, entry);
      if (hash.isPresent()) {
        return hash;
      }
    }
    return Optional.empty();
  }

  /** Compares all entries with their hashes, and with what they are about. */
  LedgerFinding check(Session session, String id) throws SQLException {
    String before = start(session, id);
    List<ChainedRow> rows = new ArrayList<>();
    for (String sql :
        this == STUDY
            ? List.of(ChargeLedger.ROWS, StudyEvents.ROWS)
            : List.of(AccountLedger.ROWS)) {
      rows.addAll(session.query(sql, ChainedRow::read, id));
    }
    LedgerFinding chain =
        session
            .first(
                "SELECT entries, head, " + original + where(),
                row -> {
                  String entries = String.valueOf(row.getString(1));
                  String head = String.valueOf(row.getString(2));
                  return new LedgerFinding(
                      entries,
                      head,
                      String.valueOf(row.getString(3)),
                      this == STUDY ? StudyEvents.first(rows) : Optional.of(1L),
                      ChainedRow.problem(rows, before, entries, head));
                },
                id)
            .orElseThrow(() -> missing(id));
    if (!chain.fits()) {
      return chain;
    }
    return chain.with(
        this == STUDY ? StudyEvents.problem(session, id) : AccountLedger.problem(session, id));
  }

  /** Requires that the whole ledger is what was written, before anything is decided by it. */
  LedgerHead requireSound(Session session, String id) throws SQLException {
    return check(session, id).require(word() + " " + id);
  }
}
