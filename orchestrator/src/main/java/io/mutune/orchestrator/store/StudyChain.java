package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The chain of each study: its charges, and what became of it, every entry chained to the one
 * before. Whoever adds an entry has locked the study.
 */
final class StudyChain {
  /** A study's columns that never change. */
  private static final String START =
      "id, name, created, definition, context, output, noise, original";

  private StudyChain() {}

  /** Where the next entry goes. */
  record Place(long entry, String before) {}

  /** Begins the chain of a study whose other columns are there. */
  static void begin(Session session, String study) throws SQLException {
    String start = start(session, study);
    session.update("UPDATE study SET head = ? WHERE id = ?", start, study);
    session.moved(Mark.ofStudy(study, 0, start, Optional.of("0.0")));
  }

  static String start(Session session, String study) throws SQLException {
    return session
        .first(
            "SELECT " + START + " FROM study WHERE id = ?",
            row -> {
              @Nullable String[] fields = new @Nullable String[8];
              for (int i = 0; i < fields.length; i++) {
                fields[i] = row.getString(i + 1);
              }
              return Chain.start(fields);
            },
            study)
        .orElseThrow(() -> StoreException.damaged("no study " + study));
  }

  static Place next(Session session, String study) throws SQLException {
    Place place = end(session, study);
    if (!hash(session, study, place.entry() - 1).equals(Optional.of(place.before()))) {
      throw StoreException.damaged(
          "study " + study + ": its ledger does not end with entry " + (place.entry() - 1));
    }
    return place;
  }

  private static Place end(Session session, String study) throws SQLException {
    return session
        .first(
            "SELECT entries, head FROM study WHERE id = ?",
            row -> new Place(row.getLong(1) + 1, row.getString(2)),
            study)
        .orElseThrow(() -> StoreException.damaged("no study " + study));
  }

  /** After an entry was added. */
  static void moveOn(Session session, String study, long entry, String hash) throws SQLException {
    session.update("UPDATE study SET entries = ?, head = ? WHERE id = ?", entry, hash, study);
    session.moved(Mark.ofStudy(study, entry, hash, Optional.empty()));
  }

  /** That the whole ledger is what was written, before anything is added to it. */
  static void requireSound(Session session, String study) throws SQLException {
    check(session, study).requireHead(study);
  }

  /** The hash of an entry, if there is one; entry 0 is what the first is chained to. */
  static Optional<String> hash(Session session, String study, long entry) throws SQLException {
    if (entry == 0) {
      return Optional.of(start(session, study));
    }
    return session.first(
        "SELECT hash FROM charge WHERE study = ? AND entry = ?"
            + " UNION ALL SELECT hash FROM event WHERE study = ? AND entry = ?",
        row -> row.getString(1),
        study,
        entry,
        study,
        entry);
  }

  /** Reads a chain as it is, and holds it against its hashes and against what it tells of. */
  static LedgerFinding check(Session session, String study) throws SQLException {
    String start = start(session, study);
    List<ChainedRow> rows =
        new ArrayList<>(session.query(ChargeLedger.ROWS, ChainedRow::read, study));
    rows.addAll(session.query(StudyEvents.ROWS, ChainedRow::read, study));
    LedgerFinding chain =
        session
            .first(
                "SELECT entries, head, original FROM study WHERE id = ?",
                row -> {
                  String entries = String.valueOf(row.getString(1));
                  String head = String.valueOf(row.getString(2));
                  return new LedgerFinding(
                      entries,
                      head,
                      String.valueOf(row.getString(3)),
                      StudyEvents.first(rows),
                      ChainedRow.problem(rows, start, entries, head));
                },
                study)
            .orElseThrow(() -> StoreException.damaged("no study " + study));
    return chain.fits() ? chain.with(StudyEvents.problem(session, study)) : chain;
  }
}
