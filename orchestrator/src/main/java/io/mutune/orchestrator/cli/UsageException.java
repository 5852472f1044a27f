package io.mutune.orchestrator.cli;

/** The user named something that is not there; the message says what. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
