package io.mutune.orchestrator.cli.input;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** At which δ the ε of an account is shown beside its μ, which has none of its own. */
public final class AccountDelta {
  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "at which epsilon is shown beside mu (default: that of a data set's card, or 1e-6)")
  private @Nullable Double delta;

  /** Empty where the option was left out. */
  public Optional<Delta> given() {
    return Optional.ofNullable(delta).map(AccountDelta::checked);
  }

  /** As it was given, or that of the card of the set whose own account it is, or the usual one. */
  public Delta of(StudyStore store, AccountDocument account) {
    String name = account.account().name();
    return given()
        .orElseGet(() -> DataSetDocument.deltaOf(store, name, ServerSettings.ACCOUNT_DELTA));
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
