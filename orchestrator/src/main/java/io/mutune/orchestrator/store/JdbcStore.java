package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps studies in a database, and what they draw on, which {@link JdbcAccounts} changes. Every
 * transaction that writes goes through {@link WitnessedDatabase#write}, and every one that changes
 * a study through {@link #locked}, which checks the study before.
 */
final class JdbcStore implements StudyStore {
  private final WitnessedDatabase witnessed;
  private final Database database;
  private final StudyTable studies;
  private final JdbcAccounts accounts;
  private final Clock clock;

  /** Studies whose whole ledgers this process has checked. */
  private final Set<String> sound = ConcurrentHashMap.newKeySet();

  /**
   * @param witness empty for a store that is gone with its process
   * @param folder under which studies leave their results
   * @param others files of accounts that another store keeps
   */
  JdbcStore(
      Database database,
      Optional<WitnessGuard> witness,
      Path folder,
      Clock clock,
      FileOwners others) {
    this.witnessed = new WitnessedDatabase(database, witness);
    this.database = database;
    this.studies = new StudyTable(folder, database.byCreation());
    this.accounts = new JdbcAccounts(witnessed, clock, others);
    this.clock = clock;
  }

  /** Runs work in one transaction that nobody else of this study is in. */
  private <T> T locked(String study, Database.Work<T> work) {
    return witnessed.write(
        session -> {
          witnessed.lock(session, study);
          requireAsWritten(session, study);
          return work.run(session);
        });
  }

  /** The same, of a study that goes on: a process that was frozen may find that it has ended. */
  private <T> T lockedBeforeEnd(String study, Database.Work<T> work) {
    return locked(
        study,
        session -> {
          studies.requireNotEnded(session, study);
          return work.run(session);
        });
  }

  /** Checks each study's whole ledger once, and before each write what is decided by. */
  private void requireAsWritten(Session session, String study) throws SQLException {
    studies.require(session, study);
    if (!sound.contains(study)) {
      LedgerTable.STUDY.requireSound(session, study);
      sound.add(study);
    }
    StudyEvents.requireStudy(session, study);
  }

  @Override
  public FileOwners owners() {
    return database.read(accounts::owners);
  }

  @Override
  public String location() {
    return database.location();
  }

  @Override
  public void create(StudyRecord study, int trials, AccountClaim claim, List<StudyNote> notes) {
    Optional<AccountRefusedException> refusal =
        witnessed.write(
            session -> {
              Optional<AccountRecord> account = accounts.claimed(session, study, claim);
              Optional<AccountRefusedException> refused =
                  account.isPresent()
                      ? AccountGate.refusal(session, account.get(), claim)
                      : Optional.empty();
              StudyRecord kept =
                  refused.isPresent()
                      ? study.with(StudyState.REFUSED, String.valueOf(refused.get().getMessage()))
                      : study;
              studies.add(session, kept, trials, notes);
              if (account.isPresent() && refused.isEmpty()) {
                AccountGate.reserve(session, account.get(), claim, study.id(), clock.instant());
              }
              return refused;
            });
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  @Override
  public Optional<StudyRecord> study(String id) {
    return database.read(session -> studies.read(session, id));
  }

  @Override
  public List<String> ids() {
    return database.read(studies::ids);
  }

  @Override
  public List<StudyRecord> studies() {
    return database.read(studies::all);
  }

  @Override
  public List<StudyRecord> queued() {
    return database.read(studies::queued);
  }

  @Override
  public List<StoredCharge> charges(String study) {
    return database.read(session -> ChargeLedger.charges(session, study));
  }

  @Override
  public Optional<StoredCharge> charge(String study, String what) {
    return database.read(session -> ChargeLedger.charge(session, study, what));
  }

  @Override
  public StoredCharge reserve(String study, ChargeFilter filter, Charge charge) {
    return lockedBeforeEnd(
        study,
        session -> {
          List<Charge> spent =
              ChargeLedger.charges(session, study).stream().map(StoredCharge::charge).toList();
          filter.check(spent, charge);
          long sequence = session.number(database.nextCharge());
          return ChargeLedger.append(session, sequence, study, charge, clock.instant());
        });
  }

  @Override
  public LedgerFinding ledger(String study) {
    return database.snapshot(session -> LedgerTable.STUDY.check(session, study));
  }

  @Override
  public Optional<String> ledgerHash(String study, long entry) {
    return database.read(session -> LedgerTable.STUDY.hash(session, study, entry));
  }

  @Override
  public void note(String study, StudyNote note) {
    lockedBeforeEnd(
        study,
        session -> {
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
    List<String> problems = new ArrayList<>(database.damage());
    setBack().ifPresent(problems::add);
    return problems;
  }

  @Override
  public List<String> adopt(boolean withoutWitness) {
    return witnessed
        .witness()
        .orElseThrow(
            () -> new StoreException(location() + ": the store has no witness; nothing to adopt"))
        .adopt(withoutWitness, clock.instant());
  }

  @Override
  public List<String> adoptions() {
    return database.read(StoreRecovery::all);
  }

  @Override
  public Optional<String> setBack() {
    return witnessed.witness().flatMap(WitnessGuard::setBack);
  }

  @Override
  public RunRecord trial(String study, int number) {
    return database.read(session -> TrialTable.read(session, study, number));
  }

  @Override
  public void move(String study, int number, RunState to) {
    locked(study, s -> TrialTable.move(s, study, number, to, OptionalDouble.empty()));
  }

  @Override
  public void score(String study, int number, double score) {
    OptionalDouble released = OptionalDouble.of(score);
    locked(study, s -> TrialTable.move(s, study, number, RunState.SCORED, released));
  }

  @Override
  public RunRecord start(String study, int number) {
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
    lockedBeforeEnd(study, s -> ReleaseTable.begin(s, study, what));
  }

  @Override
  public void release(String study, String what, double[] vector) {
    lockedBeforeEnd(study, s -> ReleaseTable.keep(s, study, what, vector));
  }

  @Override
  public Optional<StoredRelease> release(String study, String what) {
    return database.read(session -> ReleaseTable.read(session, study, what));
  }

  @Override
  public void test(String study, double accuracy) {
    lockedBeforeEnd(study, session -> studies.test(session, study, accuracy));
  }

  @Override
  public void addSeconds(String study, double seconds) {
    witnessed.write(
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
          StudyState from = studies.require(session, study).state();
          if (from != to && !from.canBecome(to)) {
            throw new IllegalStateException("a study cannot go from " + from + " to " + to);
          }
          boolean ends = to != from && to.isFinal();
          Optional<AccountLedger.Reservation> reservation =
              ends ? accounts.reservation(session, study) : Optional.empty();
          StudyTable.move(session, study, to, reason);
          if (reservation.isPresent()) {
            AccountGate.settle(session, reservation.get(), study, clock.instant());
          }
          return to;
        });
  }

  @Override
  public void createAccount(AccountRecord account) {
    witnessed.write(
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
  public void raise(String name, ApproximateGaussianDp cap) {
    accounts.raise(name, cap);
  }

  @Override
  public void register(
      CardText card, Optional<AccountRecord> account, String seals, List<NamedFile> files) {
    accounts.register(card, account, seals, files);
  }

  @Override
  public void retire(String dataSet) {
    accounts.retire(dataSet);
  }

  @Override
  public Optional<DataSetRecord> dataSet(String name) {
    return database.read(session -> DataSetTable.read(session, name));
  }

  @Override
  public Optional<CardText> card(String dataSet, long version) {
    return database.read(session -> DataSetTable.card(session, dataSet, version));
  }

  @Override
  public List<DataSetRecord> dataSets() {
    return database.read(DataSetTable::all);
  }

  @Override
  public List<StatedUnit> accountUnits(String name) {
    return database.read(session -> AccountUnits.of(session, name));
  }

  @Override
  public List<AccountEntry> accountEntries(String name) {
    return database.read(session -> AccountLedger.entries(session, name));
  }

  @Override
  public LedgerFinding accountLedger(String name) {
    return database.snapshot(session -> LedgerTable.ACCOUNT.check(session, name));
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
    return database.isHeld(study);
  }

  @Override
  public void close() {
    database.close();
  }
}
