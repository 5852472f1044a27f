package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The charges of each study, every one chained to the one before it. */
final class ChargeLedger {
  /** A study's columns that never change. */
  private static final String START =
      "id, name, created, definition, context, output, noise, original";

  private static final String ROWS =
      "SELECT entry, what, hash, study, entry, sequence, what, mechanism, parameters, reserved"
          + " FROM charge WHERE study = ?";

  private ChargeLedger() {}

  /** Where a ledger ends. */
  private record Head(long entries, String hash) {}

  /** Begins the ledger of a study whose other columns are there. */
  static void begin(Session session, String study) throws SQLException {
    session.update("UPDATE study SET head = ? WHERE id = ?", start(session, study), study);
  }

  private static String start(Session session, String study) throws SQLException {
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
        .orElseThrow(() -> new StoreException("no study " + study));
  }

  static List<StoredCharge> charges(Session session, String study) throws SQLException {
    return session.query(
        "SELECT * FROM charge WHERE study = ? ORDER BY sequence", StoredRows::charge, study);
  }

  /**
   * Adds a charge; the study is locked.
   *
   * @param sequence its place among all of the store
   */
  static StoredCharge append(
      Session session, long sequence, String study, Charge charge, Instant now)
      throws SQLException {
    Head head =
        session
            .first(
                "SELECT entries, head FROM study WHERE id = ?",
                row -> new Head(row.getLong(1), row.getString(2)),
                study)
            .orElseThrow(() -> new StoreException("no study " + study));
    long entry = head.entries + 1;
    String mechanism = charge.mechanism().name();
    String parameters = StoredJson.write(charge.mechanism().parameters());
    String hash =
        Chain.next(
            head.hash,
            study,
            Long.toString(entry),
            Long.toString(sequence),
            charge.what(),
            mechanism,
            parameters,
            now.toString());
    session.update(
        "INSERT INTO charge(sequence, study, what, mechanism, parameters, reserved, entry, hash)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        sequence,
        study,
        charge.what(),
        mechanism,
        parameters,
        now.toString(),
        entry,
        hash);
    session.update("UPDATE study SET entries = ?, head = ? WHERE id = ?", entry, hash, study);
    return new StoredCharge(sequence, study, charge, now);
  }

  /** Reads a ledger as it is and holds it against its hashes. */
  static LedgerFinding check(Session session, String study) throws SQLException {
    String start = start(session, study);
    List<ChainedRow> rows = session.query(ROWS, ChainedRow::read, study);
    return session
        .first(
            "SELECT entries, head, original FROM study WHERE id = ?",
            row -> {
              String entries = String.valueOf(row.getString(1));
              String head = String.valueOf(row.getString(2));
              Optional<String> problem = ChainedRow.problem(rows, start, entries, head);
              return new LedgerFinding(entries, head, String.valueOf(row.getString(3)), problem);
            },
            study)
        .orElseThrow(() -> new StoreException("no study " + study));
  }

  /** Chains what a version without hashes has left; what comes later is original. */
  static void chainAll(Session session) throws SQLException {
    for (String study : session.query("SELECT id FROM study", row -> row.getString(1))) {
      List<Long> sequences =
          session.query(
              "SELECT sequence FROM charge WHERE study = ? ORDER BY sequence",
              row -> row.getLong(1),
              study);
      session.update("UPDATE study SET original = ? WHERE id = ?", sequences.size() + 1, study);
      String head = start(session, study);
      for (int i = 0; i < sequences.size(); i++) {
        session.update("UPDATE charge SET entry = ? WHERE sequence = ?", i + 1, sequences.get(i));
        ChainedRow row =
            session
                .first(ROWS + " AND sequence = ?", ChainedRow::read, study, sequences.get(i))
                .orElseThrow();
        head = row.hashAfter(head);
        session.update("UPDATE charge SET hash = ? WHERE sequence = ?", head, sequences.get(i));
      }
      session.update(
          "UPDATE study SET entries = ?, head = ? WHERE id = ?", sequences.size(), head, study);
    }
  }
}
