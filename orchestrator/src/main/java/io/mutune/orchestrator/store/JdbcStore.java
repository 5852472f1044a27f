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
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Studies in a database, whichever it is. */
final class JdbcStore implements StudyStore {
  private static final long MOST_REFUSED = 1000;

  private final Database database;
  private final Path folder;
  private final Clock clock;
  private final FileOwners others;

  /** Studies whose whole ledgers this process has checked. */
  private final Set<String> sound = ConcurrentHashMap.newKeySet();

  /**
   * @param folder that studies leave theirs in
   * @param others files of accounts that another store keeps
   */
  JdbcStore(Database database, Path folder, Clock clock, FileOwners others) {
    this.database = database;
    this.folder = folder;
    this.clock = clock;
    this.others = others;
  }

  @Override
  public FileOwners owners() {
    return database.read(this::owners);
  }

  private FileOwners owners(Session session) throws SQLException {
    return AccountLedger.owners(session).and(others);
  }

  @Override
  public String location() {
    return database.location();
  }

  @Override
  public void create(StudyRecord study, int trials, AccountClaim claim, List<StudyNote> notes) {
    Optional<AccountRefusedException> refusal =
        database.write(
            session -> {
              if (!claim.files().isEmpty()) {
                database.lockFiles(session);
              }
              if (claim.account().isPresent()) {
                database.lockAccount(session, claim.account().get());
              }
              Optional<AccountRecord> account =
                  AccountGate.account(session, claim, owners(session));
              Optional<AccountRefusedException> refused =
                  account.isPresent()
                      ? AccountGate.refusal(session, account.get(), claim)
                      : Optional.empty();
              StudyRecord kept =
                  refused.isPresent()
                      ? study.with(StudyState.REFUSED, String.valueOf(refused.get().getMessage()))
                      : study;
              if (kept.state() != StudyState.REFUSED || keepsRefused(session)) {
                insert(session, kept, trials, notes);
              }
              if (account.isPresent() && refused.isEmpty()) {
                AccountGate.reserve(session, account.get(), claim, study.id(), clock.instant());
              }
              return refused;
            });
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** Nothing is ever removed, and whoever may submit can be refused as often as they like. */
  private static boolean keepsRefused(Session session) throws SQLException {
    return session
            .first("SELECT count(*) FROM study WHERE state = 'REFUSED'", row -> row.getLong(1))
            .orElse(0L)
        < MOST_REFUSED;
  }

  private static void insert(Session session, StudyRecord study, int trials, List<StudyNote> notes)
      throws SQLException {
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
    StudyChain.begin(session, study.id());
    for (int number = 0; number <= trials; number++) {
      TrialTable.add(session, study.id(), number);
    }
    StudyEvents.study(session, study.id());
    for (StudyNote note : notes) {
      StudyEvents.note(session, study.id(), note);
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
  public List<String> ids() {
    return database.read(
        session ->
            session.query(
                "SELECT id FROM study ORDER BY " + database.byCreation(), row -> row.getString(1)));
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
    return locked(
        study,
        session -> {
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
    return database.snapshot(session -> StudyChain.check(session, study));
  }

  @Override
  public Optional<String> ledgerHash(String study, long entry) {
    return database.read(session -> StudyChain.hash(session, study, entry));
  }

  @Override
  public void note(String study, StudyNote note) {
    locked(
        study,
        session -> {
          requireNotEnded(session, study);
          StudyEvents.note(session, study, note);
          return note;
        });
  }

  @Override
  public List<StudyNote> notes(String study) {
    return database.read(session -> StudyEvents.notes(session, study));
  }

  @Override
  public List<String> damage() {
    return database.damage();
  }

  @Override
  public List<String> adopt(boolean withoutWitness) {
    return database.adopt(withoutWitness, clock.instant());
  }

  @Override
  public List<String> adoptions() {
    return database.read(Adoption::all);
  }

  @Override
  public Optional<String> setBack() {
    return database.setBack();
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
    return database.read(session -> TrialTable.read(session, study, number));
  }

  /** Each study's whole ledger once, and before each write what is decided by. */
  private void requireAsWritten(Session session, String study) throws SQLException {
    requireStudy(session, study);
    if (!sound.contains(study)) {
      StudyChain.requireSound(session, study);
      sound.add(study);
    }
    StudyEvents.requireStudy(session, study);
  }

  /** Work in one transaction that nobody else of this study is in. */
  private <T> T locked(String study, Database.Work<T> work) {
    return database.write(
        session -> {
          database.lock(session, study);
          requireAsWritten(session, study);
          return work.run(session);
        });
  }

  @Override
  public void move(String study, int number, TrialState to) {
    locked(study, s -> TrialTable.move(s, study, number, to, OptionalDouble.empty()));
  }

  @Override
  public void score(String study, int number, double score) {
    OptionalDouble released = OptionalDouble.of(score);
    locked(study, s -> TrialTable.move(s, study, number, TrialState.SCORED, released));
  }

  @Override
  public TrialRecord start(String study, int number) {
    return locked(study, s -> TrialTable.start(s, study, number));
  }

  @Override
  public void beginSteps(String study, int number, int start, int first, int last) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("no steps: " + first + " to " + last);
    }
    locked(study, s -> TrialTable.begin(s, study, number, start, first, last));
  }

  @Override
  public void checkpoint(String study, int number, int start, Iterate iterate) {
    locked(study, s -> TrialTable.checkpoint(s, study, number, start, iterate));
  }

  @Override
  public void beginRelease(String study, String what) {
    changeRelease("INSERT INTO release(study, what) VALUES (?, ?)", study, what, study, what);
  }

  @Override
  public void release(String study, String what, double[] vector) {
    changeRelease(
        "UPDATE release SET vector = ? WHERE study = ? AND what = ? AND vector IS NULL",
        study,
        what,
        StoredRows.bytes(vector),
        study,
        what);
  }

  private void changeRelease(String sql, String study, String what, Object... parameters) {
    locked(
        study,
        session -> {
          StudyEvents.requireRelease(session, study, what);
          session.update(sql, parameters);
          StudyEvents.release(session, study, what);
          return what;
        });
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
    locked(
        study,
        session -> {
          OptionalDouble known = requireStudy(session, study).testAccuracy();
          if (known.isEmpty()) {
            session.update("UPDATE study SET test_accuracy = ? WHERE id = ?", accuracy, study);
            StudyEvents.study(session, study);
          } else if (Double.compare(known.getAsDouble(), accuracy) != 0) {
            throw new StoreException(
                "study " + study + " has another test figure already; it is released once");
          }
          return accuracy;
        });
  }

  @Override
  public void addSeconds(String study, double seconds) {
    database.write(
        session -> {
          session.update("UPDATE study SET seconds = seconds + ? WHERE id = ?", seconds, study);
          return seconds;
        });
  }

  @Override
  public void move(String study, StudyState to, String reason) {
    locked(
        study,
        session -> {
          StudyState from = requireStudy(session, study).state();
          if (from != to && !from.canBecome(to)) {
            throw new IllegalStateException("a study cannot go from " + from + " to " + to);
          }
          boolean ends = to != from && to.isFinal();
          Optional<AccountLedger.Reservation> reservation =
              ends ? reservation(session, study) : Optional.empty();
          session.update(
              "UPDATE study SET state = ?, reason = NULLIF(?, '') WHERE id = ?",
              to.name(),
              reason,
              study);
          StudyEvents.study(session, study);
          if (reservation.isPresent()) {
            AccountGate.settle(session, reservation.get(), study, clock.instant());
          }
          return to;
        });
  }

  /** What a study holds of an account, which is locked from then on and is what was written. */
  private Optional<AccountLedger.Reservation> reservation(Session session, String study)
      throws SQLException {
    Optional<String> account = StudyEvents.accountOf(session, study);
    if (account.isEmpty()) {
      // An earlier version may have begun it.
      account = AccountLedger.open(session, study).map(AccountLedger.Reservation::account);
    }
    if (account.isEmpty()) {
      return Optional.empty();
    }
    database.lockAccount(session, account.get());
    AccountLedger.requireSound(session, account.get());
    return AccountLedger.open(session, study);
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
  public StudyHold hold(String study) {
    return database.hold(study);
  }

  @Override
  public boolean isHeld(String study) {
    return database.isShared() && database.read(session -> PostgresHold.isHeld(session, study));
  }

  @Override
  public void close() {
    database.close();
  }
}
