package io.mutune.orchestrator.store;

import java.util.Locale;

/**
 * The states of a study. RUNNING covers interrupted studies too; only the lock tells whether a
 * process runs one.
 */
public enum StudyState {
  /** Accepted and not begun. */
  PLANNED,
  RUNNING,
  /** Stopped on request, to be resumed later. */
  PAUSED,
  FINISHED,
  /** Its trials failed or left nothing to decide from; it may be tried again. */
  FAILED,
  /** Ended on request, for good. */
  CANCELLED,
  /** Never begun, since the account had too little left. */
  REFUSED;

  /** Its name in documents and messages. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a study may move from this state to another. */
  public boolean canBecome(StudyState next) {
    return switch (this) {
      case PLANNED -> next == RUNNING || next == PAUSED || next == FAILED || next == CANCELLED;
      case RUNNING -> next == PAUSED || next == FINISHED || next == FAILED || next == CANCELLED;
      case PAUSED -> next == RUNNING || next == PLANNED || next == CANCELLED;
      case FAILED -> next == RUNNING || next == CANCELLED;
      case FINISHED, CANCELLED, REFUSED -> false;
    };
  }

  /** Returns whether it is to go on by itself, or to be resumed. */
  public boolean isOpen() {
    return this == PLANNED || this == RUNNING || this == PAUSED;
  }

  /** Returns whether no other state can follow. */
  public boolean isFinal() {
    return this == FINISHED || this == CANCELLED || this == REFUSED;
  }
}
