package io.mutune.orchestrator.store;

/** Where a study stands. Running covers interrupted ones: only the lock tells them apart. */
public enum StudyState {
  RUNNING,
  FINISHED,
  FAILED;

  /** Whether a study may go from here to there. */
  public boolean canBecome(StudyState next) {
    return this == RUNNING || (this == FAILED && next == RUNNING);
  }
}
