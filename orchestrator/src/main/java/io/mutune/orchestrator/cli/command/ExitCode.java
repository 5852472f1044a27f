package io.mutune.orchestrator.cli.command;

/** What the process's exit status means; the same for every command. */
public final class ExitCode {
  public static final int DONE = 0;
  public static final int INVALID = 2;
  public static final int REFUSED = 3;
  public static final int TRIALS_FAILED = 4;
  public static final int STORAGE = 5;
  public static final int AUDIT_DISAGREES = 6;
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
