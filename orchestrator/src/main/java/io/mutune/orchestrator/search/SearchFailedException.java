package io.mutune.orchestrator.search;

/** The trials left nothing to decide from. */
public final class SearchFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SearchFailedException(String message) {
    super(message);
  }
}
