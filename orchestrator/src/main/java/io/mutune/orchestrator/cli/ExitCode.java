package io.mutune.orchestrator.cli;

/** What the process's exit status means; the same for every command. */
final class ExitCode {
  static final int DONE = 0;
  static final int INVALID = 2;
  static final int REFUSED = 3;
  static final int TRIALS_FAILED = 4;
  static final int STORAGE = 5;
  static final int AUDIT_DISAGREES = 6;
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
