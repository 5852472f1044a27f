package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;

/** Adds a study to the queue and reserves its cost, or keeps it as refused. */
final class Admission {
  private Admission() {}

  /** Returns the study as stored; a refused one may not be stored. */
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

  /** Keeps a refused study, unless many are kept already. */
  private static StudyRecord refuse(StudyStore store, Study study, String reason) {
    StudyRecord record = study.record().with(StudyState.REFUSED, reason);
    store.create(record, study.plan().storedRuns(), AccountClaim.NONE);
    return store.study(record.id()).orElse(record);
  }
}
