package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.NewAccount;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mutune data raise}. */
@Command(
    name = "raise",
    description =
        "Raise the budget that all studies of a data set share: an entry in its account that stays.")
final class DataRaiseCommand extends DataSetCommand {
  @Option(names = "--mu", paramLabel = "CAP", description = "the new budget in mu")
  private @Nullable Double mu;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      description = "the new budget as epsilon, at --delta")
  private @Nullable Double epsilon;

  @Option(names = "--delta", paramLabel = "D", description = "of --epsilon")
  private @Nullable Double delta;

  @Option(
      names = "--sampled-delta",
      paramLabel = "D0",
      description = "of it, what studies of sampled methods may use together (default: 0)")
  private @Nullable Double sampledDelta;

  @Override
  void act(StudyStore store, DataSetRecord set) {
    try {
      store.raise(set.card().account(), NewAccount.cap(mu, epsilon, delta, sampledDelta));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
