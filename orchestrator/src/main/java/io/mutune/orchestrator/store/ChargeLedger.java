package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The charges of each study, entries of its chain. */
final class ChargeLedger {
  static final String ROWS =
      "SELECT entry, what, hash, study, entry, sequence, what, mechanism, parameters, reserved"
          + " FROM charge WHERE study = ?";

  private ChargeLedger() {}

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
    StudyChain.Place place = StudyChain.next(session, study);
    Instant at = afterSelection(session, study).orElse(now);
    String mechanism = charge.mechanism().name();
    String parameters = StoredJson.write(charge.mechanism().parameters());
    String hash =
        Chain.next(
            place.before(),
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
    StudyChain.moveOn(session, study, place.entry(), hash);
    session.moved(Mark.ofStudy(study, place.entry(), hash, Optional.of(cost(session, study))));
    return new StoredCharge(sequence, study, charge, at);
  }

  /** What a study has been charged for, for its witness. */
  static String cost(Session session, String study) throws SQLException {
    return Mark.cost(charges(session, study).stream().map(StoredCharge::charge).toList());
  }

  /**
   * The time of a charge for runs of which only the best is told, if there is one. What is charged
   * after it has the same time: a later one would tell how long those runs took, and with it how
   * many there were.
   */
  private static Optional<Instant> afterSelection(Session session, String study)
      throws SQLException {
    return charges(session, study).stream()
        .filter(stored -> stored.charge().mechanism() instanceof RepeatAndSelect)
        .map(StoredCharge::reserved)
        .findFirst();
  }
}
