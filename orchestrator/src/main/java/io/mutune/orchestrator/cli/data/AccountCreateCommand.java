package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune account create}. */
@Command(
    name = "create",
    description =
        "Make an account for sweeps that name files in place, as budget.account: what all studies of"
            + " these rows may cost together, forever. 'mutune data add' makes that of a data set.")
final class AccountCreateCommand extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "of the account; public")
  private String name = "";

  @Mixin private BudgetOptions budget = new BudgetOptions();

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

  @Override
  public Integer call() {
    AccountRecord account = budget.account(name, adjacency, fingerprint);
    try (StudyStore store = finder.openOrCreate()) {
      if (store.account(name).isPresent()) {
        throw new UsageException(
            "there is an account '%s' already; accounts are never changed, but 'mutune data raise' raises the budget of a data set"
                .formatted(name));
      }
      store.createAccount(account);
      AccountDocument made = AccountDocument.of(store, account);
      out()
          .print(
              format.json()
                  ? Json.write(made.json(Optional.empty()))
                  : made.text(budget.shownDelta()));
      return ExitCode.DONE;
    }
  }
}
