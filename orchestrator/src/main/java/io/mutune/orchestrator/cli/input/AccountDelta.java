package io.mutune.orchestrator.cli.input;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.server.ServerSettings;
import picocli.CommandLine.Option;

/** At which δ the ε of an account is shown beside its μ, which has none of its own. */
public final class AccountDelta {
  @Option(
      names = "--delta",
      paramLabel = "D",
      description = "at which epsilon is shown beside mu (default: 1e-6)")
  private double delta = ServerSettings.ACCOUNT_DELTA.value();

  public Delta value() {
    return checked(delta);
  }

  /**
   * The same of another option.
   *
   * @throws UsageException if it is no δ
   */
  public static Delta checked(double delta) {
    if (!(delta > 0 && delta < 1)) {
      throw new UsageException("--delta must be above 0 and below 1; was " + delta);
    }
    return Delta.of(delta);
  }
}
