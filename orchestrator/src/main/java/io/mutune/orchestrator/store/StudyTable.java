package io.mutune.orchestrator.store;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads and writes the table of studies. Who changes a study has locked it; each change adds an
 * event to the study's chain.
 *
 * @param folder under which studies leave their results
 * @param byCreation the order in which studies were created, as terms of SQL's ORDER BY
 */
record StudyTable(Path folder, String byCreation) {
  /** Nothing is ever removed, and a caller can be refused any number of times. */
  private static final long MOST_REFUSED = 1000;

  /** Adds a study with its runs, unless it was refused and enough refused ones are kept. */
  void add(Session session, StudyRecord study, int trials, List<StudyNote> notes)
      throws SQLException {
    if (study.state() == StudyState.REFUSED
        && session.number("SELECT count(*) FROM study WHERE state = 'REFUSED'") >= MOST_REFUSED) {
      return;
    }
    session.update(
        "INSERT INTO study(id, name, state, reason, created, definition, context, output, noise,"
            + " queued) VALUES (?, ?, ?, NULLIF(?, ''), ?, ?, ?, ?, NULLIF(?, ''), ?)",
        study.id(),
        study.name(),
        study.state().name(),
        study.reason().orElse(""),
        study.created().toString(),
        study.definition(),
        StoredJson.write(study.context()),
        String.valueOf(study.output().getFileName()),
        study.noise().map(StoredJson::write).orElse(""),
        study.queued() ? 1 : 0);
    LedgerTable.beginStudy(session, study.id());
    for (int number = 0; number <= trials; number++) {
      TrialTable.add(session, study.id(), number);
    }
    StudyEvents.study(session, study.id());
    for (StudyNote note : notes) {
      StudyEvents.note(session, study.id(), note);
    }
  }

  Optional<StudyRecord> read(Session session, String id) throws SQLException {
    return session.first(
        "SELECT * FROM study WHERE id = ?", row -> StoredRows.study(row, folder), id);
  }

  StudyRecord require(Session session, String id) throws SQLException {
    return read(session, id).orElseThrow(() -> new StoreException("no study " + id));
  }

  /**
   * Requires this of a study that is charged or releases something: the rest of one that ended is
   * free for others, and its results are written.
   */
  void requireNotEnded(Session session, String id) throws SQLException {
    StudyState state = require(session, id).state();
    if (state.isFinal()) {
      throw new StoreException(
          "study "
              + id
              + " is "
              + state.key()
              + "; nothing more is charged to it, or kept of what it releases");
    }
  }

  List<String> ids(Session session) throws SQLException {
    return session.texts("SELECT id FROM study ORDER BY " + byCreation);
  }

  List<StudyRecord> all(Session session) throws SQLException {
    return where(session, "");
  }

  List<StudyRecord> queued(Session session) throws SQLException {
    return where(
        session, " WHERE queued = 1 AND state NOT IN ('FINISHED', 'CANCELLED', 'REFUSED')");
  }

  private List<StudyRecord> where(Session session, String condition) throws SQLException {
    return session.query(
        "SELECT * FROM study" + condition + " ORDER BY " + byCreation,
        row -> StoredRows.study(row, folder));
  }

  static void move(Session session, String id, StudyState to, String reason) throws SQLException {
    session.update(
        "UPDATE study SET state = ?, reason = NULLIF(?, '') WHERE id = ?", to.name(), reason, id);
    StudyEvents.study(session, id);
  }

  /** Keeps the test figure, which is released once. */
  double test(Session session, String id, double accuracy) throws SQLException {
    OptionalDouble known = require(session, id).testAccuracy();
    if (known.isEmpty()) {
      session.update("UPDATE study SET test_accuracy = ? WHERE id = ?", accuracy, id);
      StudyEvents.study(session, id);
    } else if (Double.compare(known.getAsDouble(), accuracy) != 0) {
      throw new StoreException(
          "study " + id + " has another test figure already; it is released once");
    }
    return accuracy;
  }
}
