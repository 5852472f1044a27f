package io.mutune.orchestrator.store;

import org.jspecify.annotations.Nullable;

/** The store cannot be used: locked, full, read-only, damaged or of another version. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  private enum Kind {
    UNUSABLE,
    DAMAGED,
    NONE,
    UNWITNESSED
  }

  public StoreException(String message, Throwable cause) {
    this(message, cause, Kind.UNUSABLE);
  }

  private StoreException(String message, @Nullable Throwable cause, Kind kind) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the exception for stored data that is not what was written. */
  public static StoreException damaged(String message) {
    return new StoreException(message, null, Kind.DAMAGED);
  }

  static StoreException damaged(String message, Throwable cause) {
    return new StoreException(message, cause, Kind.DAMAGED);
  }

  /** Returns the exception for a location where there is none. */
  static StoreException none(Object location) {
    return new StoreException(
        location
            + ": there is no store here; name one by --store or --output, or run a sweep first",
        null,
        Kind.NONE);
  }

  /** Returns the exception for what was written, and its witness has not seen. */
  static StoreException unwitnessed(StoreException why) {
    return new StoreException(String.valueOf(why.getMessage()), why, Kind.UNWITNESSED);
  }

  public StoreException(String message) {
    this(message, null, Kind.UNUSABLE);
  }

  /** Returns whether it is written all the same; nobody may act on it yet. */
  public boolean isUnwitnessed() {
    return kind == Kind.UNWITNESSED;
  }

  public boolean isNone() {
    return kind == Kind.NONE;
  }

  /** Returns whether the stored data is not what was written. */
  public boolean isDamage() {
    return kind == Kind.DAMAGED;
  }
}
