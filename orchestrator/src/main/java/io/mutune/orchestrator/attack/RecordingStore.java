package io.mutune.orchestrator.attack;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.trainer.method.Iterate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A store that keeps what passed through it: every released iterate, where the store itself keeps
 * the last, and for everything that follows from private rows what the ledger held at that moment.
 */
public final class RecordingStore implements StudyStore {
  /** What was seen to happen. */
  public enum Kind {
    /** Steps were begun. */
    STEPS,
    /** An iterate was released. */
    ITERATE,
    /** A score was released. */
    SCORE,
    /** A vector was asked for. */
    RELEASE
  }

  /**
   * One such moment.
   *
   * @param what the run's number, or the vector's name
   * @param ledger what was charged by then, in order
   */
  public record Event(Kind kind, String what, List<String> ledger) {}

  private final StudyStore inner;
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, List<Iterate>> iterates = new TreeMap<>();

  public RecordingStore(StudyStore inner) {
    this.inner = inner;
  }

  /** In the order in which they happened. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** What a run released, in order. */
  synchronized List<Iterate> iterates(int number) {
    return List.copyOf(iterates.getOrDefault(number, List.of()));
  }

  private synchronized void note(String study, Kind kind, Object what) {
    List<String> ledger = inner.charges(study).stream().map(c -> c.charge().what()).toList();
    events.add(new Event(kind, String.valueOf(what), ledger));
  }

  @Override
  public void create(StudyRecord study, int trials, AccountClaim claim, List<StudyNote> notes) {
    inner.create(study, trials, claim, notes);
  }

  @Override
  public Optional<String> ledgerHash(String study, long entry) {
    return inner.ledgerHash(study, entry);
  }

  @Override
  public void note(String study, StudyNote note) {
    inner.note(study, note);
  }

  @Override
  public List<StudyNote> notes(String study) {
    return inner.notes(study);
  }

  @Override
  public List<String> damage() {
    return inner.damage();
  }

  @Override
  public LedgerFinding ledger(String study) {
    return inner.ledger(study);
  }

  @Override
  public void createAccount(AccountRecord account) {
    inner.createAccount(account);
  }

  @Override
  public Optional<AccountRecord> account(String name) {
    return inner.account(name);
  }

  @Override
  public List<AccountRecord> accounts() {
    return inner.accounts();
  }

  @Override
  public List<AccountEntry> accountEntries(String name) {
    return inner.accountEntries(name);
  }

  @Override
  public FileOwners owners() {
    return inner.owners();
  }

  @Override
  public LedgerFinding accountLedger(String name) {
    return inner.accountLedger(name);
  }

  @Override
  public Optional<StudyRecord> study(String id) {
    return inner.study(id);
  }

  @Override
  public List<String> ids() {
    return inner.ids();
  }

  @Override
  public List<StudyRecord> studies() {
    return inner.studies();
  }

  @Override
  public List<StudyRecord> queued() {
    return inner.queued();
  }

  @Override
  public List<StoredCharge> charges(String study) {
    return inner.charges(study);
  }

  @Override
  public StoredCharge reserve(String study, ChargeFilter filter, Charge charge) {
    return inner.reserve(study, filter, charge);
  }

  @Override
  public Optional<StoredCharge> charge(String study, String what) {
    return inner.charge(study, what);
  }

  @Override
  public TrialRecord trial(String study, int number) {
    return inner.trial(study, number);
  }

  @Override
  public void move(String study, int number, TrialState to) {
    inner.move(study, number, to);
  }

  @Override
  public TrialRecord start(String study, int number) {
    return inner.start(study, number);
  }

  @Override
  public void beginSteps(String study, int number, int start, int first, int last) {
    note(study, Kind.STEPS, number);
    inner.beginSteps(study, number, start, first, last);
  }

  @Override
  public void checkpoint(String study, int number, int start, Iterate iterate) {
    note(study, Kind.ITERATE, number);
    inner.checkpoint(study, number, start, iterate);
    synchronized (this) {
      iterates.computeIfAbsent(number, n -> new ArrayList<>()).add(iterate);
    }
  }

  @Override
  public void score(String study, int number, double score) {
    note(study, Kind.SCORE, number);
    inner.score(study, number, score);
  }

  @Override
  public void beginRelease(String study, String what) {
    note(study, Kind.RELEASE, what);
    inner.beginRelease(study, what);
  }

  @Override
  public void release(String study, String what, double[] vector) {
    inner.release(study, what, vector);
  }

  @Override
  public Optional<StoredRelease> release(String study, String what) {
    return inner.release(study, what);
  }

  @Override
  public void test(String study, double accuracy) {
    inner.test(study, accuracy);
  }

  @Override
  public void addSeconds(String study, double seconds) {
    inner.addSeconds(study, seconds);
  }

  @Override
  public void move(String study, StudyState to, String reason) {
    inner.move(study, to, reason);
  }

  @Override
  public String location() {
    return inner.location();
  }

  @Override
  public void close() {
    inner.close();
  }
}
