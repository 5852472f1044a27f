package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads and writes the table of charges, which are entries of their study's chain. */
final class ChargeLedger {
  static final String ROWS =
      "SELECT entry, what, hash, study, entry, sequence, what, mechanism, parameters, reserved"
          + " FROM charge WHERE study = ?";

  private ChargeLedger() {}

  static List<StoredCharge> charges(Session session, String study) throws SQLException {
    return session.query(
        "SELECT * FROM charge WHERE study = ? ORDER BY sequence", StoredRows::charge, study);
  }

  static Optional<StoredCharge> charge(Session session, String study, String what)
      throws SQLException {
    return session.first(
        "SELECT * FROM charge WHERE study = ? AND what = ?", StoredRows::charge, study, what);
  }

  /**
   * Adds a charge; the study is locked.
   *
   * @param sequence its number in the whole store
   */
  static StoredCharge append(
      Session session, long sequence, String study, Charge charge, Instant now)
      throws SQLException {
    LedgerTable.Place place = LedgerTable.STUDY.next(session, study);
    Instant at = afterSelection(session, study).orElse(now);
    String mechanism = charge.mechanism().name();
    String parameters = StoredJson.write(charge.mechanism().parameters());
    String hash =
        Chain.next(
            place.hash(),
            study,
            Long.toString(place.entry()),
            Long.toString(sequence),
            charge.what(),
            mechanism,
            parameters,
            at.toString());
    session.update(
        "INSERT INTO charge(sequence, study, what, mechanism, parameters, reserved, entry, hash)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        sequence,
        study,
        charge.what(),
        mechanism,
        parameters,
        at.toString(),
        place.entry(),
        hash);
    LedgerTable.STUDY.moveOn(
        session, study, place.entry(), hash, Optional.of(cost(session, study)));
    return new StoredCharge(sequence, charge, at);
  }

  /** Returns the cost of a study's charges, for the witness. */
  static String cost(Session session, String study) throws SQLException {
    return Mark.cost(charges(session, study).stream().map(StoredCharge::charge).toList());
  }

  /**
   * Returns the time of the study's selection charge, if it has one. Later charges get the same
   * time: their own would show how long the secret runs took, and so how many there were.
   */
  static Optional<Instant> afterSelection(Session session, String study) throws SQLException {
    return charges(session, study).stream()
        .filter(stored -> stored.charge().mechanism() instanceof RepeatAndSelect)
        .map(StoredCharge::reserved)
        .findFirst();
  }
}
