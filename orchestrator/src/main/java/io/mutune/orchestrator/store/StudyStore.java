package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.trainer.method.Iterate;
import java.util.List;
import java.util.Optional;

/**
 * Keeps studies, their charges and what was released, and the accounts of data sets, which are
 * never changed or deleted. Every method that writes returns only when the write is committed and
 * synced; every method throws {@link StoreException} if the store fails.
 */
public interface StudyStore extends AutoCloseable {
  /**
   * Adds a study with its runs, all planned: {@link RunRecord#FINAL} and 1 to {@code trials}. The
   * cost that it claims of an account is reserved in the same transaction.
   *
   * @throws AccountRefusedException if the claim is refused; where there is no room, the study is
   *     kept as {@link StudyState#REFUSED}, unless a thousand such are kept already
   * @param notes added with the study
   */
  void create(StudyRecord study, int trials, AccountClaim claim, List<StudyNote> notes);

  /** Adds a study without notes. */
  default void create(StudyRecord study, int trials, AccountClaim claim) {
    create(study, trials, claim, List.of());
  }

  Optional<StudyRecord> study(String id);

  /** Returns the ids of all studies, also of those whose rows cannot be read. */
  List<String> ids();

  /** Returns all studies, oldest first. */
  List<StudyRecord> studies();

  /** Returns the submitted studies that have not ended for good, oldest first. */
  List<StudyRecord> queued();

  /** Returns the charges of a study, in order. */
  List<StoredCharge> charges(String study);

  /**
   * Adds a charge to the ledger if the filter allows it; check and charge are one transaction.
   *
   * @throws io.mutune.accountant.ledger.OverBudgetException if it does not; nothing is written then
   * @throws StoreException if the study has ended for good, or has a charge of this name
   */
  StoredCharge reserve(String study, ChargeFilter filter, Charge charge);

  /** Returns the charge of this name, if there is one. */
  Optional<StoredCharge> charge(String study, String what);

  /**
   * Verifies a study's ledger by its chain of hashes, and its runs and releases against their last
   * events.
   */
  LedgerFinding ledger(String study);

  /** Returns the hash of an entry of a study's ledger, if there is such an entry. */
  Optional<String> ledgerHash(String study, long entry);

  /**
   * Adds a note to a study.
   *
   * @throws StoreException if the study has ended for good
   */
  void note(String study, StudyNote note);

  /** Returns the notes of a study, those of each kind in order. */
  List<StudyNote> notes(String study);

  /**
   * Returns what is wrong with the database itself, in sentences: its tables, indices and triggers,
   * and its last writes by its witness.
   */
  List<String> damage();

  /**
   * Makes a store that is behind its witness writable again, by holding for good what the witness
   * saw charged. Returns what was done, in sentences; nothing if the two agree.
   *
   * @param withoutWitness whether a missing witness is made anew, though what was lost stays
   *     unknown
   */
  List<String> adopt(boolean withoutWitness);

  /** Returns what {@link #adopt} has ever done. */
  List<String> adoptions();

  /**
   * Returns in one sentence which writes the store has lost, if any; it may then be read and not
   * written.
   */
  Optional<String> setBack();

  RunRecord trial(String study, int number);

  /**
   * Moves a run on.
   *
   * @throws IllegalStateException if it does not stand where that is possible
   */
  void move(String study, int number, RunState to);

  /**
   * Notes that training starts or is resumed. Steps that were begun and have no checkpoint are lost
   * from then on.
   *
   * @throws StoreException if the run is not charged, or is trained already
   * @return the run; its {@link RunRecord#starts} is the fencing token of every later step, so that
   *     an older process that still runs is refused
   */
  RunRecord start(String study, int number);

  /**
   * Notes that the steps {@code first} to {@code last} may read private rows from now on.
   *
   * @throws StoreException if one of them was begun before or there was a later start: a step's
   *     charge is spent once
   */
  void beginSteps(String study, int number, int start, int first, int last);

  /**
   * Keeps the released iterate. Steps begun beyond it count as not asked: a run that stops between
   * steps keeps a checkpoint before the last step that it began.
   *
   * @throws StoreException if there was a later start, or the iterate goes back behind an earlier
   *     one or beyond what was begun
   */
  void checkpoint(String study, int number, int start, Iterate iterate);

  /**
   * Keeps a run's score and moves it to {@link RunState#SCORED}.
   *
   * @throws IllegalStateException if it is not trained, or its score was taken or given up
   */
  void score(String study, int number, double score);

  /**
   * Notes that a vector may be computed from private rows from now on.
   *
   * @throws StoreException if it was begun before
   */
  void beginRelease(String study, String what);

  /**
   * Keeps the vector that was released.
   *
   * @throws StoreException if it was not begun, or is kept already
   */
  void release(String study, String what, double[] vector);

  /** Returns a vector that was begun, if it was. */
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
   * @param reason for people, of public and released values only; empty for none. What a study that
   *     ends was not charged is free in its account again
   * @throws IllegalStateException if it does not stand where that is possible
   */
  void move(String study, StudyState to, String reason);

  /** Moves a study to another state without a reason. */
  default void move(String study, StudyState to) {
    move(study, to, "");
  }

  /**
   * Makes an account.
   *
   * @throws AccountRefusedException if there is one of this name
   */
  void createAccount(AccountRecord account);

  Optional<AccountRecord> account(String name);

  /** Returns all accounts, by name. */
  List<AccountRecord> accounts();

  /**
   * Raises the cap of an account, which is an entry in its chain.
   *
   * @throws AccountRefusedException if there is no such account, or its cap is as high already
   */
  void raise(String account, ApproximateGaussianDp cap);

  /**
   * Registers the next version of a data set's card; what it protects belongs to its account from
   * then on.
   *
   * @param account made with the first version, unless the card draws on one that exists
   * @param seals of its files, as one text
   * @param files that the card names
   * @throws AccountRefusedException if the name is taken, the set is retired, or a file is another
   *     account's or would be read without a charge
   */
  void register(
      CardText card, Optional<AccountRecord> account, String seals, List<NamedFile> files);

  /**
   * Takes no new studies of a data set; its account stays as it is.
   *
   * @throws AccountRefusedException if there is none of this name, or it is retired already
   */
  void retire(String dataSet);

  /** Returns the newest version of a registered data set. */
  Optional<DataSetRecord> dataSet(String name);

  /** Returns a version of a registered data set's card, also where there is a newer one. */
  Optional<CardText> card(String dataSet, long version);

  /** Returns the newest versions of all registered data sets, by name. */
  List<DataSetRecord> dataSets();

  /**
   * Returns whom each data set of an account protects, and its first study that names its files
   * itself: either single rows all of them, or people.
   */
  List<StatedUnit> accountUnits(String name);

  /** Returns the entries of an account, in order. */
  List<AccountEntry> accountEntries(String name);

  /** Returns the files of accounts, among those that studies have named. */
  FileOwners owners();

  /** Verifies the chain of hashes of an account's ledger. */
  LedgerFinding accountLedger(String name);

  /** Returns whether processes on several machines may use the store at once. */
  boolean isShared();

  /**
   * Locks a study for this process, until the hold is closed or the process ends.
   *
   * @throws StoreException if another process has the lock
   */
  StudyHold hold(String study);

  /** Returns whether a process has that lock. */
  boolean isHeld(String study);

  /** Returns the text by which the store can be opened again, without a password. */
  String location();

  @Override
  void close();
}
