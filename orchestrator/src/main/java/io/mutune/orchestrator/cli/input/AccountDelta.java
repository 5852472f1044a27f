package io.mutune.orchestrator.cli.input;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.server.ServerSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** At which δ the ε of an account is shown beside its μ, which has none of its own. */
public final class AccountDelta {
  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "at which epsilon is shown beside mu (default: 1e-6, or that of one data set's card)")
  private @Nullable Double delta;

  public Delta value() {
    return given().orElse(ServerSettings.ACCOUNT_DELTA);
  }

  /** Empty where the option was left out. */
  public Optional<Delta> given() {
    return Optional.ofNullable(delta).map(AccountDelta::checked);
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
