package io.mutune.orchestrator.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the events of each study's chain. After each change of a run, a release or the
 * study itself an event holds the columns of the changed row, so that a row that was changed in
 * another way differs from its last event. Iterates and vectors are in events by their digests.
 * Events have no times: those of secret runs would show how many there were.
 */
final class StudyEvents {
  static final String ROWS =
      "SELECT entry, trim(lower(kind) || ' ' || what), hash, study, entry, kind, what, content"
          + " FROM event WHERE study = ?";

  /** The content of an event for a run that was never begun. */
  private static final String UNTOUCHED =
      "{\"state\":\"PLANNED\",\"starts\":\"0\",\"steps_begun\":\"0\",\"steps_asked\":\"0\","
          + "\"steps_lost\":\"0\",\"weights\":null,\"velocity\":null,\"score\":null}";

  /** The kind of the event that names the account that a study draws on. */
  static final String ACCOUNT = "ACCOUNT";

  private StudyEvents() {}

  /** The tables whose rows events are about. Notes are about no row. */
  private enum Subject {
    STUDY(
        "SELECT '' AS what, state, reason, queued, test_accuracy,"
            + " (SELECT count(*) FROM trial WHERE study = s.id) AS runs FROM study s WHERE id = ?",
        ""),
    RUN(
        "SELECT number AS what, state, starts, steps_begun, steps_asked, steps_lost, weights,"
            + " velocity, score FROM trial WHERE study = ?",
        " AND number = ?"),
    RELEASE("SELECT what, vector FROM release WHERE study = ?", " AND what = ?");

    private final String all;
    private final String one;

    /**
     * @param which what more a query for one of them says
     */
    Subject(String all, String which) {
      this.all = all;
      this.one = all + which;
    }
  }

  /** A row by its name in its table, and its columns as text. */
  private record Standing(String what, String content) {
    static Standing read(ResultSet row) throws SQLException {
      Map<String, @Nullable String> columns = new LinkedHashMap<>();
      for (int column = 2; column <= row.getMetaData().getColumnCount(); column++) {
        columns.put(row.getMetaData().getColumnLabel(column), text(row.getObject(column)));
      }
      return new Standing(String.valueOf(row.getString(1)), StoredJson.write(columns));
    }

    private static @Nullable String text(@Nullable Object value) {
      if (value == null) {
        return null;
      }
      return value instanceof byte[] bytes ? DigestUtils.sha256Hex(bytes) : value.toString();
    }
  }

  /** Adds an event after the study's row was made or changed. */
  static void study(Session session, String study) throws SQLException {
    stands(session, study, Subject.STUDY, study);
  }

  /** Adds an event after a run was changed. */
  static void run(Session session, String study, int number) throws SQLException {
    stands(session, study, Subject.RUN, study, number);
  }

  /**
   * Returns how many steps the checkpoint of a run is of: the table has those that were lost since
   * among them. Of a run that an earlier version began without events, no more than that.
   */
  static int stepsKept(Session session, String study, RunRecord run) throws SQLException {
    RunStanding before = RunStanding.read(UNTOUCHED);
    long kept = 0;
    for (RunStanding standing :
        session.query(
            "SELECT content FROM event WHERE study = ? AND kind = ? AND what = ? ORDER BY entry",
            row -> RunStanding.read(row.getString(1)),
            study,
            Subject.RUN.name(),
            Integer.toString(run.number()))) {
      kept = standing.isCheckpointAfter(before) ? standing.asked() : kept;
      before = standing;
    }
    return Math.toIntExact(kept);
  }

  /** Returns the account that a study draws on, if there is an event of it. */
  static Optional<String> accountOf(Session session, String study) throws SQLException {
    return session.text("SELECT what FROM event WHERE study = ? AND kind = ?", study, ACCOUNT);
  }

  /** Adds an event after a vector was begun or released. */
  static void release(Session session, String study, String what) throws SQLException {
    stands(session, study, Subject.RELEASE, study, what);
  }

  private static void stands(Session session, String study, Subject subject, Object... parameters)
      throws SQLException {
    Standing standing = session.first(subject.one, Standing::read, parameters).orElseThrow();
    append(session, study, subject.name(), standing.what(), standing.content());
  }

  /** Checks the study's row before it is changed or anything is decided by it. */
  static void requireStudy(Session session, String study) throws SQLException {
    requireAsWritten(session, study, Subject.STUDY, "", study);
  }

  /** Checks a run before it is changed. */
  static void requireRun(Session session, String study, int number) throws SQLException {
    requireAsWritten(session, study, Subject.RUN, Integer.toString(number), study, number);
  }

  /** Checks a release before it is begun or stored. */
  static void requireRelease(Session session, String study, String what) throws SQLException {
    requireAsWritten(session, study, Subject.RELEASE, what, study, what);
  }

  /** Refuses a row that differs from the last event about it. */
  private static void requireAsWritten(
      Session session, String study, Subject subject, String what, Object... parameters)
      throws SQLException {
    Optional<String> content =
        session.first(subject.one, Standing::read, parameters).map(Standing::content);
    Optional<String> last =
        session.text(
            "SELECT content FROM event WHERE study = ? AND kind = ? AND what = ?"
                + " ORDER BY entry DESC LIMIT 1",
            study,
            subject.name(),
            what);
    boolean fits =
        last.isPresent()
            ? last.equals(content)
            : content.isEmpty() || content.get().equals(UNTOUCHED) || !isWhole(session, study);
    if (!fits) {
      throw StoreException.damaged(
          "study %s: %s stands otherwise than the last entry about it says"
              .formatted(study, name(subject.name(), what)));
    }
  }

  /**
   * Returns whether the study has events from its first entry on; an earlier version may have begun
   * it.
   */
  private static boolean isWhole(Session session, String study) throws SQLException {
    return session.has("SELECT 1 FROM event WHERE study = ? AND entry = 1", study);
  }

  /** Notes that a study draws on an account, whose ledger must then have an entry of it. */
  static void account(Session session, String study, String account) throws SQLException {
    append(session, study, ACCOUNT, account, "{}");
  }

  /** Adds a note. */
  static void note(Session session, String study, StudyNote note) throws SQLException {
    append(session, study, note.kind().name(), "", StoredJson.write(note.content()));
  }

  /** Returns the notes of a study, those of each kind in order. */
  static List<StudyNote> notes(Session session, String study) throws SQLException {
    List<StudyNote> notes = new ArrayList<>();
    for (StudyNote.Kind kind : StudyNote.Kind.values()) {
      notes.addAll(
          session.query(
              "SELECT content FROM event WHERE study = ? AND kind = ? ORDER BY entry",
              row -> new StudyNote(kind, StoredJson.readTexts(row.getString(1))),
              study,
              kind.name()));
    }
    return notes;
  }

  private static void append(
      Session session, String study, String kind, String what, String content) throws SQLException {
    LedgerTable.Place place = LedgerTable.STUDY.next(session, study);
    String hash =
        Chain.next(place.hash(), study, Long.toString(place.entry()), kind, what, content);
    session.update(
        "INSERT INTO event(study, entry, kind, what, content, hash) VALUES (?, ?, ?, ?, ?, ?)",
        study,
        place.entry(),
        kind,
        what,
        content,
        hash);
    LedgerTable.STUDY.moveOn(session, study, place.entry(), hash, Optional.empty());
  }

  /**
   * Returns the first entry that is an event: the first entry of all, unless an earlier version
   * began the study.
   */
  static Optional<Long> first(List<ChainedRow> rows) {
    return rows.stream()
        .filter(row -> row.fields().size() == 5)
        .map(row -> String.valueOf(row.entry()))
        .filter(entry -> entry.matches("[0-9]{1,18}"))
        .map(Long::valueOf)
        .min(Long::compare);
  }

  private record Event(String entry, String kind, String what, String content) {
    String name() {
      return "entry " + entry + " (" + StudyEvents.name(kind, what) + ")";
    }
  }

  private static String name(String kind, String what) {
    return (kind.toLowerCase(Locale.ROOT) + " " + what).strip();
  }

  /** Returns the first row that differs from its last event, in a chain whose hashes fit. */
  static Optional<String> problem(Session session, String study) throws SQLException {
    List<Event> events =
        session.query(
            "SELECT entry, kind, what, content FROM event WHERE study = ? ORDER BY entry",
            row ->
                new Event(row.getString(1), row.getString(2), row.getString(3), row.getString(4)),
            study);
    boolean whole = !events.isEmpty() && events.get(0).entry().equals("1");
    Map<String, RunStanding> runs = new HashMap<>();
    for (Event event : events) {
      if (event.kind().equals(Subject.RUN.name())) {
        RunStanding now = RunStanding.read(event.content());
        RunStanding before = runs.put(event.what(), now);
        if (before == null && whole) {
          before = RunStanding.read(UNTOUCHED);
        }
        if (before != null && !now.follows(before)) {
          return Optional.of(event.name() + " does not follow from the one about it before");
        }
      }
    }
    for (Subject subject : Subject.values()) {
      Map<String, Event> last = new LinkedHashMap<>();
      for (Event event : events) {
        if (event.kind().equals(subject.name())) {
          last.remove(event.what());
          last.put(event.what(), event);
        }
      }
      Map<String, Standing> standings = new HashMap<>();
      for (Standing standing : session.query(subject.all, Standing::read, study)) {
        standings.put(standing.what(), standing);
      }
      for (Event event : last.values()) {
        Standing standing = standings.remove(event.what());
        if (standing == null) {
          return Optional.of(event.name() + " is about something that is missing");
        }
        if (!standing.content().equals(event.content())) {
          return Optional.of(event.name() + " is the last about it, and it stands otherwise");
        }
      }
      // Rows of an earlier version have no event until they change.
      for (Standing standing : whole ? standings.values() : List.<Standing>of()) {
        if (subject != Subject.RUN || !standing.content().equals(UNTOUCHED)) {
          return Optional.of(
              "no entry is about "
                  + name(subject.name(), standing.what())
                  + ", which is not as it was made");
        }
      }
    }
    return Optional.empty();
  }
}
