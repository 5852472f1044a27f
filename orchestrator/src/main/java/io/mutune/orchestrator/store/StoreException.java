package io.mutune.orchestrator.store;

import org.jspecify.annotations.Nullable;

/** The store cannot be used: locked, full, read-only, damaged or of another version. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean damage;

  public StoreException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private StoreException(String message, @Nullable Throwable cause, boolean damage) {
    super(message, cause);
    this.damage = damage;
  }

  /** Returns the exception for stored data that is not what was written. */
  public static StoreException damaged(String message) {
    return new StoreException(message, null, true);
  }

  static StoreException damaged(String message, Throwable cause) {
    return new StoreException(message, cause, true);
  }

  public StoreException(String message) {
    this(message, null, false);
  }

  /** Returns whether the stored data is not what was written. */
  public boolean isDamage() {
    return damage;
  }
}
