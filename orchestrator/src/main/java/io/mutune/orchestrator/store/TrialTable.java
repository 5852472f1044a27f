package io.mutune.orchestrator.store;

import io.mutune.trainer.method.Iterate;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Reads and writes the table of runs. The caller has locked the study; each change adds an event to
 * the study's chain.
 */
final class TrialTable {
  private TrialTable() {}

  static void add(Session session, String study, int number) throws SQLException {
    session.update(
        "INSERT INTO trial(study, number, state) VALUES (?, ?, ?)",
        study,
        number,
        RunState.PLANNED.name());
  }

  static RunRecord read(Session session, String study, int number) throws SQLException {
    RunRecord run =
        session
            .first(
                "SELECT * FROM trial WHERE study = ? AND number = ?",
                StoredRows::trial,
                study,
                number)
            .orElseThrow(
                () -> StoreException.damaged("study " + study + " has no trial " + number));
    return run.stepsLost() == 0 || run.checkpoint().isEmpty()
        ? run
        : run.withStepsKept(StudyEvents.stepsKept(session, study, run));
  }

  /**
   * Moves a run on.
   *
   * @param score to keep, if there is one
   */
  static RunRecord move(
      Session session, String study, int number, RunState to, OptionalDouble score)
      throws SQLException {
    RunState from = read(session, study, number).state();
    if (!from.canBecome(to)) {
      throw new IllegalStateException("a run cannot go from " + from + " to " + to);
    }
    return score.isPresent()
        ? change(
            session,
            study,
            number,
            "state = ?, score = ? WHERE state = ?",
            to.name(),
            score.getAsDouble(),
            from.name())
        : change(session, study, number, "state = ? WHERE state = ?", to.name(), from.name());
  }

  static RunRecord start(Session session, String study, int number) throws SQLException {
    return change(
        session,
        study,
        number,
        "starts = starts + 1, steps_lost = steps_lost + steps_begun - steps_asked,"
            + " steps_asked = steps_begun WHERE state = 'CHARGED'");
  }

  static RunRecord begin(Session session, String study, int number, int start, int first, int last)
      throws SQLException {
    return change(
        session,
        study,
        number,
        "steps_begun = ? WHERE state = 'CHARGED' AND starts = ? AND steps_begun < ?",
        last,
        start,
        first);
  }

  static RunRecord checkpoint(Session session, String study, int number, int start, Iterate iterate)
      throws SQLException {
    return change(
        session,
        study,
        number,
        "steps_begun = ?, steps_asked = ?, weights = ?, velocity = ?"
            + " WHERE state = 'CHARGED' AND starts = ? AND ? BETWEEN steps_asked AND steps_begun",
        iterate.asked(),
        iterate.asked(),
        StoredRows.bytes(iterate.weights()),
        StoredRows.bytes(iterate.memory()),
        start,
        iterate.asked());
  }

  /**
   * Changes a run after checking it against its last event, and adds an event of its new columns.
   *
   * @param change SQL after SET, with a condition that holds where the change is possible
   */
  private static RunRecord change(
      Session session, String study, int number, String change, Object... parameters)
      throws SQLException {
    StudyEvents.requireRun(session, study, number);
    List<Object> all = new ArrayList<>(List.of(parameters));
    all.addAll(List.of(study, number));
    session.update("UPDATE trial SET " + change + " AND study = ? AND number = ?", all.toArray());
    StudyEvents.run(session, study, number);
    return read(session, study, number);
  }
}
