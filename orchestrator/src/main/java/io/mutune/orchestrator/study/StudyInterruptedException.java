package io.mutune.orchestrator.study;

/** The study was asked to stop and did; everything done so far is kept. */
public final class StudyInterruptedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StudyInterruptedException() {
    super("interrupted");
  }
}
