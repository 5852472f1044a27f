package io.mutune.orchestrator.schedule;

/** A study does not stand where that is possible; the message says where it stands. */
public final class StudyStateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StudyStateException(String message) {
    super(message);
  }
}
