package io.mutune.orchestrator.cli.command;

/** The user named something that is not there; the message says what. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
