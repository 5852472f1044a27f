package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.trainer.method.Iterate;
import java.util.List;
import java.util.Optional;

/**
 * Keeps studies, their charges and what was released. Every method that writes returns only when
 * the write is committed and synced; every method throws {@link StoreException} if the store fails.
 */
public interface StudyStore extends AccountStore, AutoCloseable {
  /**
   * Adds a study with its runs, all planned: {@link TrialRecord#FINAL} and 1 to {@code trials}.
   * What it claims of an account is reserved in the same transaction.
   *
   * @throws AccountRefusedException if the claim is refused; where there is no room, the study is
   *     kept as {@link StudyState#REFUSED}, unless a thousand such are kept already
   * @param notes of it that are there from its first moment
   */
  void create(StudyRecord study, int trials, AccountClaim claim, List<StudyNote> notes);

  /** Adds a study that there is nothing to note of. */
  default void create(StudyRecord study, int trials, AccountClaim claim) {
    create(study, trials, claim, List.of());
  }

  Optional<StudyRecord> study(String id);

  /** The ids of all studies, even of those whose rows make no sense. */
  List<String> ids();

  /** All studies, oldest first. */
  List<StudyRecord> studies();

  /** Those that were submitted and have not ended for good, oldest first. */
  List<StudyRecord> queued();

  /** The charges of a study, in order. */
  List<StoredCharge> charges(String study);

  /**
   * Puts a charge on the ledger if the filter allows it, in one transaction with the check.
   *
   * @throws io.mutune.accountant.ledger.OverBudgetException if it does not; nothing is written then
   * @throws StoreException if the study has ended for good, or has a charge of this name
   */
  StoredCharge reserve(String study, ChargeFilter filter, Charge charge);

  /** The charge under this name, if it was reserved before. */
  Optional<StoredCharge> charge(String study, String what);

  /**
   * Whether a study's ledger is what was written, by its chain of hashes, and whether its runs and
   * releases stand as the ledger says.
   */
  LedgerFinding ledger(String study);

  /** The hash of an entry of a study's ledger, if it has that many. */
  Optional<String> ledgerHash(String study, long entry);

  /**
   * Keeps something to remember of a study.
   *
   * @throws StoreException if the study has ended for good
   */
  void note(String study, StudyNote note);

  /** What was noted of a study, of each kind in order. */
  List<StudyNote> notes(String study);

  /** What the database itself says of its tables' integrity; empty if it finds nothing wrong. */
  List<String> damage();

  /**
   * Goes on from a store that is behind its witness, by holding for good what the witness says was
   * charged: says what was done, in sentences; empty where the two agree.
   *
   * @param withoutWitness whether a witness that is missing is made anew, which tells nothing of
   *     what was lost
   */
  default List<String> adopt(boolean withoutWitness) {
    throw new UnsupportedOperationException("a store behind another");
  }

  /** What {@link #adopt} has done, from the first time on. */
  default List<String> adoptions() {
    return List.of();
  }

  /** Whether it is known to have lost writes, in one sentence: it may be read and not written. */
  default Optional<String> setBack() {
    return Optional.empty();
  }

  TrialRecord trial(String study, int number);

  /**
   * Moves a run on.
   *
   * @throws IllegalStateException if it does not stand where that is possible
   */
  void move(String study, int number, TrialState to);

  /**
   * Notes that training starts, or goes on after a stop: steps that were begun and not kept are
   * lost from here on.
   *
   * @throws StoreException if the run is not charged, or is trained already
   * @return the run as it now stands; its {@link TrialRecord#starts} must come with every later
   *     step, so that an older process that still runs is found out
   */
  TrialRecord start(String study, int number);

  /**
   * Notes that the steps {@code first} to {@code last} may read private rows from now on.
   *
   * @throws StoreException if one of them was begun before or there was a later start: a step's
   *     charge is spent once
   */
  void beginSteps(String study, int number, int start, int first, int last);

  /**
   * Keeps the released iterate. Steps begun beyond it were not asked: a run that stops between
   * steps says so by a short checkpoint.
   *
   * @throws StoreException if there was a later start, or the iterate goes back behind an earlier
   *     one or beyond what was begun
   */
  void checkpoint(String study, int number, int start, Iterate iterate);

  /**
   * Moves a run to scored with this score.
   *
   * @throws IllegalStateException if it is not trained, or its score was taken or given up
   */
  void score(String study, int number, double score);

  /**
   * Notes that a question for a vector may be asked from now on.
   *
   * @throws StoreException if it was before
   */
  void beginRelease(String study, String what);

  /**
   * Keeps the vector that was released.
   *
   * @throws StoreException if it was not begun, or is kept already
   */
  void release(String study, String what, double[] vector);

  /** A vector that was begun, if it was. */
  Optional<StoredRelease> release(String study, String what);

  /**
   * Keeps the test figure.
   *
   * @throws StoreException if another was released before
   */
  void test(String study, double accuracy);

  void addSeconds(String study, double seconds);

  /**
   * Moves a study on.
   *
   * @param reason for people, of public and released values alone; empty for none. A study that
   *     ends here leaves to its account what it was never charged for
   * @throws IllegalStateException if it does not stand where that is possible
   */
  void move(String study, StudyState to, String reason);

  /** Moves a study on for no particular reason. */
  default void move(String study, StudyState to) {
    move(study, to, "");
  }

  /** Whether processes on several machines may use it at once. */
  default boolean isShared() {
    return false;
  }

  /**
   * Says to everyone who uses a shared store that this process runs a study by itself, until that
   * is closed or the process is gone. Who uses a file finds that out on the one machine.
   *
   * @throws StoreException if another process does
   */
  default StudyHold hold(String study) {
    return StudyHold.NONE;
  }

  /** Whether a process says so now. */
  default boolean isHeld(String study) {
    return false;
  }

  /** By which this store can be opened again; without a password. */
  String location();

  @Override
  void close();
}
