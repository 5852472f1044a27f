package io.mutune.orchestrator.store;

import io.mutune.trainer.method.Iterate;
import java.sql.SQLException;
import java.util.OptionalDouble;

/**
 * The runs' table. Whoever changes a run has locked its study; how it stands from then on goes into
 * the study's chain.
 */
final class TrialTable {
  private TrialTable() {}

  static void add(Session session, String study, int number) throws SQLException {
    session.update(
        "INSERT INTO trial(study, number, state) VALUES (?, ?, ?)",
        study,
        number,
        TrialState.PLANNED.name());
  }

  static TrialRecord read(Session session, String study, int number) throws SQLException {
    return session
        .first(
            "SELECT * FROM trial WHERE study = ? AND number = ?", StoredRows::trial, study, number)
        .orElseThrow(() -> StoreException.damaged("study " + study + " has no trial " + number));
  }

  /**
   * Moves a run on.
   *
   * @param score that it has from then on
   */
  static TrialRecord move(
      Session session, String study, int number, TrialState to, OptionalDouble score)
      throws SQLException {
    TrialState from = read(session, study, number).state();
    if (!from.canBecome(to)) {
      throw new IllegalStateException("a run cannot go from " + from + " to " + to);
    }
    if (score.isPresent()) {
      return change(
          session,
          study,
          number,
          "state = ?, score = ? WHERE study = ? AND number = ?",
          to.name(),
          score.getAsDouble(),
          study,
          number);
    }
    return change(
        session,
        study,
        number,
        "state = ? WHERE study = ? AND number = ?",
        to.name(),
        study,
        number);
  }

  static TrialRecord start(Session session, String study, int number) throws SQLException {
    return change(
        session,
        study,
        number,
        "starts = starts + 1, steps_lost = steps_lost + steps_begun - steps_asked,"
            + " steps_asked = steps_begun WHERE study = ? AND number = ? AND state = 'CHARGED'",
        study,
        number);
  }

  static TrialRecord begin(
      Session session, String study, int number, int start, int first, int last)
      throws SQLException {
    return change(
        session,
        study,
        number,
        "steps_begun = ? WHERE study = ? AND number = ? AND state = 'CHARGED' AND starts = ?"
            + " AND steps_begun < ?",
        last,
        study,
        number,
        start,
        first);
  }

  static TrialRecord checkpoint(
      Session session, String study, int number, int start, Iterate iterate) throws SQLException {
    return change(
        session,
        study,
        number,
        "steps_begun = ?, steps_asked = ?, weights = ?, velocity = ?"
            + " WHERE study = ? AND number = ? AND state = 'CHARGED' AND starts = ?"
            + " AND ? BETWEEN steps_asked AND steps_begun",
        iterate.asked(),
        iterate.asked(),
        StoredRows.bytes(iterate.weights()),
        StoredRows.bytes(iterate.memory()),
        study,
        number,
        start,
        iterate.asked());
  }

  private static TrialRecord change(
      Session session, String study, int number, String assignments, Object... parameters)
      throws SQLException {
    StudyEvents.requireRun(session, study, number);
    session.update("UPDATE trial SET " + assignments, parameters);
    StudyEvents.run(session, study, number);
    return read(session, study, number);
  }
}
