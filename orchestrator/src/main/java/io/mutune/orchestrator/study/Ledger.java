package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;

/**
 * A study's charges and states in the store, for processes that may be doing the same thing at the
 * same moment: what another one was faster with is told from what cannot be.
 */
record Ledger(StudyStore store, Study study) {
  /** Puts a charge on the ledger, or finds it there, from an earlier start or another process. */
  StoredCharge reserved(Charge charge) {
    StoredCharge stored =
        store.charge(study.id(), charge.what()).orElseGet(() -> reservedByOne(charge));
    if (!stored.charge().equals(charge)) {
      throw plannedOtherwise(study, charge.what());
    }
    return stored;
  }

  /**
   * Refuses a study that this version plans otherwise than its ledger has it: its scores would be
   * taken for those of other runs.
   *
   * @throws StoreException if it has a charge that the plan has not
   */
  void requirePlanned() {
    for (StoredCharge stored : store.charges(study.id())) {
      if (!study.plan().foresees(stored.charge())) {
        throw plannedOtherwise(study, stored.charge().what());
      }
    }
  }

  static StoreException plannedOtherwise(Study study, String what) {
    return new StoreException(
        "study "
            + study.id()
            + ": its ledger has another charge for "
            + what
            + "; it was begun by a version that plans differently, and can only end there");
  }

  /** Of two processes at once one reserves it; the other finds that, or that it would not fit. */
  private StoredCharge reservedByOne(Charge charge) {
    try {
      return store.reserve(study.id(), study.plan().filter(), charge);
    } catch (StoreException | OverBudgetException e) {
      if (e instanceof StoreException failed && failed.isUnwitnessed()) {
        throw e;
      }
      return store.charge(study.id(), charge.what()).orElseThrow(() -> e);
    }
  }

  /**
   * Moves a run on.
   *
   * @throws StoreException if another process has done so
   */
  void move(int number, RunState to) {
    try {
      store.move(study.id(), number, to);
    } catch (IllegalStateException e) {
      throw overtaken("run " + number, e);
    }
  }

  /**
   * Keeps the score of a run.
   *
   * @throws StoreException if another process has given it up, or kept its own
   */
  void score(int number, double score) {
    try {
      store.score(study.id(), number, score);
    } catch (IllegalStateException e) {
      throw overtaken("the score of run " + number, e);
    }
  }

  private StoreException overtaken(String what, RuntimeException e) {
    return new StoreException("study " + study.id() + ": another process goes on with " + what, e);
  }
}
