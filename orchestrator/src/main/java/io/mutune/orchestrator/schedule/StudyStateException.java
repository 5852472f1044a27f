package io.mutune.orchestrator.schedule;

/** A request is not possible in the state of the study, which the message names. */
public final class StudyStateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StudyStateException(String message) {
    super(message);
  }
}
