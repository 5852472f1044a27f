package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.AccountDelta;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune account history}. */
@Command(
    name = "history",
    description = "List every entry of a data set's account, and what was left after it.")
final class AccountHistoryCommand extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "of the account, or of a data set")
  private String name = "";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private AccountDelta delta = new AccountDelta();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      out().print(answer(store, name, delta, format.json()));
      return ExitCode.DONE;
    }
  }

  /**
   * The entries of an account.
   *
   * @param name of it, or of a data set
   */
  static String answer(StudyStore store, String name, AccountDelta delta, boolean json) {
    AccountDocument account = AccountShowCommand.find(store, name);
    Delta at = delta.of(store, account);
    return json
        ? Json.write(account.historyJson(account.entries().size(), at))
        : account.history(at);
  }
}
