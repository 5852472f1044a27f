package io.mutune.orchestrator.schedule;

/** There is no study of that id. */
public final class UnknownStudyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnknownStudyException(String id) {
    super("there is no study '" + id + "'; see 'mutune list'");
  }
}
