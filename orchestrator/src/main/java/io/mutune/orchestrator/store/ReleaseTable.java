package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Reads and writes the table of released vectors. The caller has locked the study; each change adds
 * an event to the study's chain.
 */
final class ReleaseTable {
  private ReleaseTable() {}

  static Optional<StoredRelease> read(Session session, String study, String what)
      throws SQLException {
    return session.first(
        "SELECT * FROM release WHERE study = ? AND what = ?", StoredRows::release, study, what);
  }

  static String begin(Session session, String study, String what) throws SQLException {
    return change(
        session, study, what, "INSERT INTO release(study, what) VALUES (?, ?)", study, what);
  }

  /** Keeps the vector, unless there is one. */
  static String keep(Session session, String study, String what, double[] vector)
      throws SQLException {
    return change(
        session,
        study,
        what,
        "UPDATE release SET vector = ? WHERE study = ? AND what = ? AND vector IS NULL",
        StoredRows.bytes(vector),
        study,
        what);
  }

  private static String change(
      Session session, String study, String what, String sql, Object... parameters)
      throws SQLException {
    StudyEvents.requireRelease(session, study, what);
    session.update(sql, parameters);
    StudyEvents.release(session, study, what);
    return what;
  }
}
