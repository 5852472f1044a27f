package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The embedded store: one SQLite file, written through {@link SqliteFile}. */
public final class SqliteStore implements StudyStore {
  private final SqliteFile file;
  private final Path folder;
  private final Clock clock;

  private SqliteStore(SqliteFile file, Path path, Clock clock) {
    this.file = file;
    this.folder = path.toAbsolutePath().normalize().resolveSibling("");
    this.clock = clock;
  }

  /** Opens the store, making it where there is none. */
  public static SqliteStore open(Path path) {
    return new SqliteStore(SqliteFile.openOrCreate(path), path, Clock.systemUTC());
  }

  /**
   * A store that is never on a disk. Its charges are as good as forgotten, so it is for studies of
   * rows that need no protection alone.
   */
  public static SqliteStore inMemory() {
    return new SqliteStore(SqliteFile.inMemory(), Path.of(""), Clock.systemUTC());
  }

  /** Opens a store that is there already. */
  public static SqliteStore openExisting(Path path) {
    return new SqliteStore(SqliteFile.openExisting(path), path, Clock.systemUTC());
  }

  @Override
  public void create(StudyRecord study, int trials) {
    file.write(
        () -> {
          file.update(
              "INSERT INTO study(id, name, state, created, definition, context, output, noise)"
                  + " VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''))",
              study.id(),
              study.name(),
              study.state().name(),
              study.created().toString(),
              study.definition(),
              StoredJson.write(study.context()),
              String.valueOf(study.output().getFileName()),
              study.noise().map(StoredJson::write).orElse(""));
          for (int number = 0; number <= trials; number++) {
            file.update(
                "INSERT INTO trial(study, number, state) VALUES (?, ?, ?)",
                study.id(),
                number,
                TrialState.PLANNED.name());
          }
          return trials;
        });
  }

  @Override
  public Optional<StudyRecord> study(String id) {
    return file
        .query("SELECT * FROM study WHERE id = ?", row -> StoredRows.study(row, folder), id)
        .stream()
        .findFirst();
  }

  @Override
  public List<StudyRecord> studies() {
    return file.query(
        "SELECT * FROM study ORDER BY created, rowid", row -> StoredRows.study(row, folder));
  }

  @Override
  public List<StoredCharge> charges(String study) {
    return file.query(
        "SELECT * FROM charge WHERE study = ? ORDER BY sequence", StoredRows::charge, study);
  }

  @Override
  public Optional<StoredCharge> charge(String study, String what) {
    return file
        .query("SELECT * FROM charge WHERE study = ? AND what = ?", StoredRows::charge, study, what)
        .stream()
        .findFirst();
  }

  @Override
  public StoredCharge reserve(String study, ChargeFilter filter, Charge charge) {
    Instant now = clock.instant();
    long sequence =
        file.write(
            () -> {
              List<Charge> spent = charges(study).stream().map(StoredCharge::charge).toList();
              filter.check(spent, charge);
              return file.query(
                      "INSERT INTO charge(study, what, mechanism, parameters, reserved)"
                          + " VALUES (?, ?, ?, ?, ?) RETURNING sequence",
                      row -> row.getLong(1),
                      study,
                      charge.what(),
                      charge.mechanism().name(),
                      StoredJson.write(charge.mechanism().parameters()),
                      now.toString())
                  .get(0);
            });
    return new StoredCharge(sequence, study, charge, now);
  }

  @Override
  public TrialRecord trial(String study, int number) {
    return file
        .query(
            "SELECT * FROM trial WHERE study = ? AND number = ?", StoredRows::trial, study, number)
        .stream()
        .findFirst()
        .orElseThrow(() -> new StoreException("study " + study + " has no trial " + number));
  }

  @Override
  public void move(String study, int number, TrialState to) {
    file.write(
        () -> {
          requireMove(study, number, to);
          file.update(
              "UPDATE trial SET state = ? WHERE study = ? AND number = ?",
              to.name(),
              study,
              number);
          return to;
        });
  }

  private void requireMove(String study, int number, TrialState to) {
    TrialState from = trial(study, number).state();
    if (!from.canBecome(to)) {
      throw new IllegalStateException("a run cannot go from " + from + " to " + to);
    }
  }

  @Override
  public TrialRecord start(String study, int number) {
    return file.write(
        () -> {
          file.update(
              "UPDATE trial SET starts = starts + 1,"
                  + " steps_lost = steps_lost + steps_begun - steps_asked,"
                  + " steps_asked = steps_begun"
                  + " WHERE study = ? AND number = ? AND state = 'CHARGED'",
              study,
              number);
          return trial(study, number);
        });
  }

  @Override
  public void beginSteps(String study, int number, int start, int first, int last) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("no steps: " + first + " to " + last);
    }
    file.update(
        "UPDATE trial SET steps_begun = ?"
            + " WHERE study = ? AND number = ? AND state = 'CHARGED' AND starts = ?"
            + " AND steps_begun < ?",
        last,
        study,
        number,
        start,
        first);
  }

  @Override
  public void checkpoint(String study, int number, int start, Iterate iterate) {
    file.update(
        "UPDATE trial SET steps_begun = ?, steps_asked = ?, weights = ?, velocity = ?"
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

  @Override
  public void score(String study, int number, double score) {
    file.write(
        () -> {
          requireMove(study, number, TrialState.SCORED);
          file.update(
              "UPDATE trial SET score = ?, state = 'SCORED' WHERE study = ? AND number = ?",
              score,
              study,
              number);
          return score;
        });
  }

  @Override
  public void beginRelease(String study, String what) {
    file.update("INSERT INTO release(study, what) VALUES (?, ?)", study, what);
  }

  @Override
  public void release(String study, String what, double[] vector) {
    file.update(
        "UPDATE release SET vector = ? WHERE study = ? AND what = ? AND vector IS NULL",
        StoredRows.bytes(vector),
        study,
        what);
  }

  @Override
  public Optional<StoredRelease> release(String study, String what) {
    return file
        .query(
            "SELECT * FROM release WHERE study = ? AND what = ?", StoredRows::release, study, what)
        .stream()
        .findFirst();
  }

  @Override
  public void test(String study, double accuracy) {
    file.update("UPDATE study SET test_accuracy = ? WHERE id = ?", accuracy, study);
  }

  @Override
  public void addSeconds(String study, double seconds) {
    file.update("UPDATE study SET seconds = seconds + ? WHERE id = ?", seconds, study);
  }

  @Override
  public void move(String study, StudyState to) {
    file.write(
        () -> {
          StudyState from =
              study(study).orElseThrow(() -> new StoreException("no study " + study)).state();
          if (from != to && !from.canBecome(to)) {
            throw new IllegalStateException("a study cannot go from " + from + " to " + to);
          }
          file.update("UPDATE study SET state = ? WHERE id = ?", to.name(), study);
          return to;
        });
  }

  @Override
  public void close() {
    file.close();
  }
}
