package io.mutune.orchestrator.reproduce;

/** A file of claims that cannot be read or run as it is; the message says what is wrong with it. */
public final class ClaimsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ClaimsException(String message) {
    super(message);
  }

  ClaimsException(String message, Throwable cause) {
    super(message, cause);
  }
}
