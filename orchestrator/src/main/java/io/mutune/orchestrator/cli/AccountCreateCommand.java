package io.mutune.orchestrator.cli;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.report.AccountDocument;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.NewAccount;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune account create}. */
@Command(
    name = "create",
    description =
        "Make a data set's account: the budget that all studies of its rows share, forever. Sweeps"
            + " name it as budget.account. It is never changed.")
final class AccountCreateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "of the data set; public")
  private String name = "";

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

  @Option(
      names = "--adjacency",
      paramLabel = "A",
      description = "add-remove (default) or replace-one")
  private String adjacency = Adjacency.ADD_REMOVE.key();

  @Option(
      names = "--rows-fingerprint",
      paramLabel = "TEXT",
      description =
          "to tell the rows by; published, so no hash of them unless under a key that stays secret")
  private @Nullable String fingerprint;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    AccountRecord account = record();
    try (StudyStore store = finder.openOrCreate()) {
      store.createAccount(account);
      AccountDocument made = AccountDocument.of(store, account);
      Output.of(spec).print(format.json() ? Json.write(made.json()) : made.text());
      return ExitCode.DONE;
    }
  }

  private AccountRecord record() {
    try {
      return new NewAccount(name, mu, epsilon, delta, sampledDelta, adjacency, fingerprint)
          .record();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
