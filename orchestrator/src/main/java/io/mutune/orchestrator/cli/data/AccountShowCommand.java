package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.AccountDelta;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AccountDocument;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune account show}. */
@Command(
    name = "show",
    description = "Show what a data set's account has spent, holds for open studies, and has left.")
final class AccountShowCommand extends CliCommand {
  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "of the account, or of a data set (default: all)")
  private @Nullable String name;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private AccountDelta delta = new AccountDelta();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      if (name != null) {
        AccountDocument account = find(store, name);
        out()
            .print(
                format.json()
                    ? Json.write(account.json(Optional.of(delta.of(store, account))))
                    : text(store, account));
        return ExitCode.DONE;
      }
      List<AccountDocument> accounts = new ArrayList<>();
      for (AccountRecord account : store.accounts()) {
        accounts.add(AccountDocument.of(store, account));
      }
      if (format.json()) {
        ObjectNode json = Json.document();
        ArrayNode array = json.putArray("accounts");
        accounts.forEach(
            account ->
                array.add(account.fill(Json.object(), Optional.of(delta.of(store, account)))));
        out().print(Json.write(json));
      } else {
        accounts.forEach(account -> out().println(text(store, account)));
      }
      return ExitCode.DONE;
    }
  }

  private String text(StudyStore store, AccountDocument account) {
    String sets =
        store.dataSets().stream()
            .filter(set -> set.card().account().equals(account.account().name()))
            .map(set -> set.name() + (set.retired() ? " (retired)" : ""))
            .collect(Collectors.joining(", "));
    return account.text(delta.of(store, account))
        + (sets.isEmpty() ? "" : "data sets:     " + sets + "\n");
  }

  /** The account of a name that somebody gave: its own, or that of a data set. */
  static AccountDocument find(StudyStore store, String name) {
    return store
        .account(name)
        .or(() -> store.dataSet(name).flatMap(set -> store.account(set.card().account())))
        .map(account -> AccountDocument.of(store, account))
        .orElseThrow(
            () ->
                new UsageException(
                    "there is no account '" + name + "'; see 'mutune account show'"));
  }
}
