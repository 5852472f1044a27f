package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;

/**
 * How a study comes into the queue: with what it may cost reserved, or refused and kept as such.
 */
final class Admission {
  private Admission() {}

  /** The study as the store has it then; one that was refused may not be kept. */
  static StudyRecord of(StudyStore store, Study study) {
    StudyRecord record = study.record();
    try {
      study.enter(store);
    } catch (AccountRefusedException e) {
      if (store.study(record.id()).isEmpty()) {
        return refuse(store, study, String.valueOf(e.getMessage()));
      }
    }
    return store.study(record.id()).orElseThrow();
  }

  /** Keeps a study that will never be run, unless many are kept already. */
  static StudyRecord refuse(StudyStore store, Study study, String reason) {
    StudyRecord record = study.record().with(StudyState.REFUSED, reason);
    store.create(record, study.plan().storedRuns(), AccountClaim.NONE);
    return store.study(record.id()).orElse(record);
  }
}
