package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Studies in a database, whichever it is. */
final class JdbcStore implements StudyStore {
  private final Database database;
  private final Path folder;
  private final Clock clock;

  /**
   * @param folder that studies leave theirs in
   */
  JdbcStore(Database database, Path folder, Clock clock) {
    this.database = database;
    this.folder = folder;
    this.clock = clock;
  }

  @Override
  public String location() {
    return database.location();
  }

  @Override
  public void create(StudyRecord study, int trials, AccountClaim claim) {
    Optional<AccountRefusedException> refusal =
        database.write(
            session -> {
              if (claim.account().isPresent()) {
                database.lockAccount(session, claim.account().get());
              }
              Optional<AccountRecord> account = AccountGate.account(session, claim);
              Optional<AccountRefusedException> refused =
                  account.isPresent()
                      ? AccountGate.refusal(session, account.get(), claim)
                      : Optional.empty();
              insert(
                  session,
                  refused.isPresent()
                      ? study.with(StudyState.REFUSED, String.valueOf(refused.get().getMessage()))
                      : study,
                  trials);
              if (account.isPresent() && refused.isEmpty()) {
                AccountGate.reserve(session, account.get(), claim, study.id(), clock.instant());
              }
              return refused;
            });
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  private static void insert(Session session, StudyRecord study, int trials) throws SQLException {
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
    ChargeLedger.begin(session, study.id());
    for (int number = 0; number <= trials; number++) {
      session.update(
          "INSERT INTO trial(study, number, state) VALUES (?, ?, ?)",
          study.id(),
          number,
          TrialState.PLANNED.name());
    }
  }

  @Override
  public Optional<StudyRecord> study(String id) {
    return database.read(session -> study(session, id));
  }

  private Optional<StudyRecord> study(Session session, String id) throws SQLException {
    return session.first(
        "SELECT * FROM study WHERE id = ?", row -> StoredRows.study(row, folder), id);
  }

  @Override
  public List<StudyRecord> studies() {
    return database.read(
        session ->
            session.query(
                "SELECT * FROM study ORDER BY " + database.byCreation(),
                row -> StoredRows.study(row, folder)));
  }

  @Override
  public List<StudyRecord> queued() {
    return database.read(
        session ->
            session.query(
                "SELECT * FROM study WHERE queued = 1"
                    + " AND state NOT IN ('FINISHED', 'CANCELLED', 'REFUSED') ORDER BY "
                    + database.byCreation(),
                row -> StoredRows.study(row, folder)));
  }

  @Override
  public List<StoredCharge> charges(String study) {
    return database.read(session -> ChargeLedger.charges(session, study));
  }

  @Override
  public Optional<StoredCharge> charge(String study, String what) {
    return database.read(
        session ->
            session.first(
                "SELECT * FROM charge WHERE study = ? AND what = ?",
                StoredRows::charge,
                study,
                what));
  }

  @Override
  public StoredCharge reserve(String study, ChargeFilter filter, Charge charge) {
    return database.write(
        session -> {
          database.lock(session, study);
          requireNotEnded(session, study);
          List<Charge> spent =
              ChargeLedger.charges(session, study).stream().map(StoredCharge::charge).toList();
          filter.check(spent, charge);
          long sequence = session.query(database.nextCharge(), row -> row.getLong(1)).get(0);
          return ChargeLedger.append(session, sequence, study, charge, clock.instant());
        });
  }

  @Override
  public LedgerFinding ledger(String study) {
    return database.snapshot(session -> ChargeLedger.check(session, study));
  }

  /** What an ended study has not used is free for others, and must not be used after all. */
  private void requireNotEnded(Session session, String study) throws SQLException {
    StudyState state = requireStudy(session, study).state();
    if (state.isFinal()) {
      throw new StoreException(
          "study "
              + study
              + " is "
              + state.name().toLowerCase(Locale.ROOT)
              + "; nothing more is charged to it");
    }
  }

  @Override
  public TrialRecord trial(String study, int number) {
    return database.read(session -> trial(session, study, number));
  }

  private static TrialRecord trial(Session session, String study, int number) throws SQLException {
    return session
        .first(
            "SELECT * FROM trial WHERE study = ? AND number = ?", StoredRows::trial, study, number)
        .orElseThrow(() -> new StoreException("study " + study + " has no trial " + number));
  }

  @Override
  public void move(String study, int number, TrialState to) {
    database.write(
        session -> {
          requireMove(session, study, number, to);
          session.update(
              "UPDATE trial SET state = ? WHERE study = ? AND number = ?",
              to.name(),
              study,
              number);
          return to;
        });
  }

  private void requireMove(Session session, String study, int number, TrialState to)
      throws SQLException {
    database.lock(session, study);
    TrialState from = trial(session, study, number).state();
    if (!from.canBecome(to)) {
      throw new IllegalStateException("a run cannot go from " + from + " to " + to);
    }
  }

  @Override
  public TrialRecord start(String study, int number) {
    return database.write(
        session -> {
          session.update(
              "UPDATE trial SET starts = starts + 1,"
                  + " steps_lost = steps_lost + steps_begun - steps_asked,"
                  + " steps_asked = steps_begun"
                  + " WHERE study = ? AND number = ? AND state = 'CHARGED'",
              study,
              number);
          return trial(session, study, number);
        });
  }

  @Override
  public void beginSteps(String study, int number, int start, int first, int last) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("no steps: " + first + " to " + last);
    }
    update(
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
    update(
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
    database.write(
        session -> {
          requireMove(session, study, number, TrialState.SCORED);
          session.update(
              "UPDATE trial SET score = ?, state = 'SCORED' WHERE study = ? AND number = ?",
              score,
              study,
              number);
          return score;
        });
  }

  @Override
  public void beginRelease(String study, String what) {
    update("INSERT INTO release(study, what) VALUES (?, ?)", study, what);
  }

  @Override
  public void release(String study, String what, double[] vector) {
    update(
        "UPDATE release SET vector = ? WHERE study = ? AND what = ? AND vector IS NULL",
        StoredRows.bytes(vector),
        study,
        what);
  }

  @Override
  public Optional<StoredRelease> release(String study, String what) {
    return database.read(
        session ->
            session.first(
                "SELECT * FROM release WHERE study = ? AND what = ?",
                StoredRows::release,
                study,
                what));
  }

  @Override
  public void test(String study, double accuracy) {
    update("UPDATE study SET test_accuracy = ? WHERE id = ?", accuracy, study);
  }

  @Override
  public void addSeconds(String study, double seconds) {
    update("UPDATE study SET seconds = seconds + ? WHERE id = ?", seconds, study);
  }

  @Override
  public void move(String study, StudyState to, String reason) {
    database.write(
        session -> {
          database.lock(session, study);
          StudyState from = requireStudy(session, study).state();
          if (from != to && !from.canBecome(to)) {
            throw new IllegalStateException("a study cannot go from " + from + " to " + to);
          }
          session.update(
              "UPDATE study SET state = ?, reason = NULLIF(?, '') WHERE id = ?",
              to.name(),
              reason,
              study);
          if (to != from && to.isFinal()) {
            settle(session, study);
          }
          return to;
        });
  }

  private void settle(Session session, String study) throws SQLException {
    Optional<AccountLedger.Reservation> reservation = AccountLedger.open(session, study);
    if (reservation.isPresent()) {
      database.lockAccount(session, reservation.get().account());
      AccountGate.settle(session, reservation.get(), study, clock.instant());
    }
  }

  private StudyRecord requireStudy(Session session, String study) throws SQLException {
    return study(session, study).orElseThrow(() -> new StoreException("no study " + study));
  }

  @Override
  public void createAccount(AccountRecord account) {
    database.write(
        session -> {
          AccountLedger.create(session, account);
          return account;
        });
  }

  @Override
  public Optional<AccountRecord> account(String name) {
    return database.read(session -> AccountLedger.read(session, name));
  }

  @Override
  public List<AccountRecord> accounts() {
    return database.read(AccountLedger::all);
  }

  @Override
  public List<AccountEntry> accountEntries(String name) {
    return database.read(session -> AccountLedger.entries(session, name));
  }

  @Override
  public LedgerFinding accountLedger(String name) {
    return database.snapshot(session -> AccountLedger.check(session, name));
  }

  @Override
  public boolean isShared() {
    return database.isShared();
  }

  @Override
  public Hold hold(String study) {
    return database.hold(study);
  }

  @Override
  public boolean isHeld(String study) {
    return database.isShared() && database.read(session -> PostgresHold.isHeld(session, study));
  }

  private void update(String sql, Object... parameters) {
    database.write(
        session -> {
          session.update(sql, parameters);
          return true;
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
