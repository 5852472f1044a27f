package io.mutune.orchestrator.store;

/** Where a study stands. Running covers interrupted ones: only the lock tells them apart. */
public enum StudyState {
  /** Accepted, and not begun. */
  PLANNED,
  RUNNING,
  /** Stopped on purpose, to go on later. */
  PAUSED,
  FINISHED,
  /** Its trials left nothing to decide from, or could not be run; it may be tried again. */
  FAILED,
  /** Ended on purpose for good. */
  CANCELLED,
  /** Never begun: there was no room for it. */
  REFUSED;

  /** Whether a study may go from here to there. */
  public boolean canBecome(StudyState next) {
    return switch (this) {
      case PLANNED -> next == RUNNING || next == PAUSED || next == FAILED || next == CANCELLED;
      case RUNNING -> next == PAUSED || next == FINISHED || next == FAILED || next == CANCELLED;
      case PAUSED -> next == RUNNING || next == PLANNED || next == CANCELLED;
      case FAILED -> next == RUNNING || next == CANCELLED;
      case FINISHED, CANCELLED, REFUSED -> false;
    };
  }

  /** Whether it stays so for good. */
  public boolean isFinal() {
    return this == FINISHED || this == CANCELLED || this == REFUSED;
  }
}
