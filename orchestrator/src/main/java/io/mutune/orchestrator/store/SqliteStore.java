package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The embedded store: one SQLite file, written through {@link SqliteFile}. */
public final class SqliteStore implements StudyStore {
  private final SqliteFile file;
  private final Clock clock;

  private SqliteStore(SqliteFile file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Opens the store, making it where there is none. */
  public static SqliteStore open(Path path) {
    return new SqliteStore(SqliteFile.openOrCreate(path), Clock.systemUTC());
  }

  /** Opens a store that is there already. */
  public static SqliteStore openExisting(Path path) {
    return new SqliteStore(SqliteFile.openExisting(path), Clock.systemUTC());
  }

  @Override
  public void create(StudyRecord study, int trials) {
    file.write(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO study(id, name, state, created, definition, context, output)"
                      + " VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, study.id());
            insert.setString(2, study.name());
            insert.setString(3, study.state().name());
            insert.setString(4, study.created().toString());
            insert.setString(5, study.definition());
            insert.setString(6, StoredJson.write(study.context()));
            insert.setString(7, study.output().toString());
            insert.executeUpdate();
          }
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO trial(study, number, state) VALUES (?, ?, ?)")) {
            for (int number = 0; number <= trials; number++) {
              insert.setString(1, study.id());
              insert.setInt(2, number);
              insert.setString(3, TrialState.PLANNED.name());
              insert.executeUpdate();
            }
          }
          return trials;
        });
  }

  @Override
  public Optional<StudyRecord> study(String id) {
    return file.query("SELECT * FROM study WHERE id = ?", StoredRows::study, id).stream()
        .findFirst();
  }

  @Override
  public List<StudyRecord> studies() {
    return file.query("SELECT * FROM study ORDER BY created, rowid", StoredRows::study);
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
  public StoredCharge reserve(String study, Budget budget, Charge charge) {
    Instant now = clock.instant();
    long sequence =
        file.write(
            connection -> {
              List<Charge> spent = new ArrayList<>();
              try (PreparedStatement select =
                  connection.prepareStatement(
                      "SELECT * FROM charge WHERE study = ? ORDER BY sequence")) {
                select.setString(1, study);
                try (ResultSet rows = select.executeQuery()) {
                  while (rows.next()) {
                    spent.add(StoredRows.charge(rows).charge());
                  }
                }
              }
              new BudgetFilter(budget).admit(spent, List.of(charge));
              return insert(connection, study, charge, now);
            });
    return new StoredCharge(sequence, study, charge, now);
  }

  private static long insert(Connection connection, String study, Charge charge, Instant now)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO charge(study, what, mechanism, parameters, reserved)"
                + " VALUES (?, ?, ?, ?, ?) RETURNING sequence")) {
      insert.setString(1, study);
      insert.setString(2, charge.what());
      insert.setString(3, charge.mechanism().name());
      insert.setString(4, StoredJson.write(charge.mechanism().parameters()));
      insert.setString(5, now.toString());
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
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
    TrialState from = trial(study, number).state();
    if (!from.canBecome(to)) {
      throw new IllegalStateException("a trial cannot go from " + from + " to " + to);
    }
    file.update(
        "UPDATE trial SET state = ? WHERE study = ? AND number = ?", to.name(), study, number);
  }

  @Override
  public TrialRecord start(String study, int number) {
    file.update(
        "UPDATE trial SET starts = starts + 1, steps_lost = steps_lost + steps_begun - steps_asked,"
            + " steps_asked = steps_begun WHERE study = ? AND number = ?",
        study,
        number);
    return trial(study, number);
  }

  @Override
  public void beginSteps(String study, int number, int start, int first, int last) {
    file.update(
        "UPDATE trial SET steps_begun = ?"
            + " WHERE study = ? AND number = ? AND starts = ? AND steps_begun < ?",
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
            + " WHERE study = ? AND number = ? AND starts = ?",
        iterate.asked(),
        iterate.asked(),
        StoredRows.bytes(iterate.weights()),
        StoredRows.bytes(iterate.velocity()),
        study,
        number,
        start);
  }

  @Override
  public void score(String study, int number, double score) {
    TrialState from = trial(study, number).state();
    if (!from.canBecome(TrialState.SCORED)) {
      throw new IllegalStateException("a trial cannot be scored when " + from);
    }
    file.update(
        "UPDATE trial SET score = ?, state = ? WHERE study = ? AND number = ?",
        score,
        TrialState.SCORED.name(),
        study,
        number);
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
    StudyState from =
        study(study).orElseThrow(() -> new StoreException("no study " + study)).state();
    if (from != to && !from.canBecome(to)) {
      throw new IllegalStateException("a study cannot go from " + from + " to " + to);
    }
    file.update("UPDATE study SET state = ? WHERE id = ?", to.name(), study);
  }

  @Override
  public void close() {
    file.close();
  }
}
