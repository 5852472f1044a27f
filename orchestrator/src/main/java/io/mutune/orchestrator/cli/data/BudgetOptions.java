package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Delta;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all studies of a data set may cost together. */
final class BudgetOptions {
  @Option(names = "--mu", paramLabel = "CAP", description = "the budget in mu")
  private @Nullable Double mu;

  @Option(names = "--epsilon", paramLabel = "E", description = "the budget as epsilon, at --delta")
  private @Nullable Double epsilon;

  @Option(names = "--delta", paramLabel = "D", description = "of --epsilon")
  private @Nullable Double delta;

  @Option(
      names = "--sampled-delta",
      paramLabel = "D0",
      description =
          "delta0 for all studies of sampled steps or random stopping together, which have no mu; a"
              + " part of --delta (default: 0, for none of them)")
  private @Nullable Double sampledDelta;

  /**
   * The budget.
   *
   * @throws UsageException if that is none
   */
  ApproximateGaussianDp cap() {
    try {
      return budget().cap();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * An account of that budget.
   *
   * @param fingerprint to tell the rows by; public
   * @throws UsageException if that is none
   */
  AccountRecord account(String name, String adjacency, @Nullable String fingerprint) {
    try {
      return AccountRecord.make(name, budget(), adjacency, fingerprint);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private LifetimeBudget budget() {
    return new LifetimeBudget(mu, epsilon, delta, sampledDelta);
  }

  /** At which ε is shown beside μ. */
  Delta shownDelta() {
    return delta == null ? ServerSettings.ACCOUNT_DELTA : Delta.of(delta);
  }
}
