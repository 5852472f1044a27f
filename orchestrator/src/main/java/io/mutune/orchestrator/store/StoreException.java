package io.mutune.orchestrator.store;

/** The store cannot be used: locked, full, read-only, damaged or of another version. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  public StoreException(String message) {
    super(message);
  }
}
