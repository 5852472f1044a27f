package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.AccountDelta;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune data list}. */
@Command(name = "list", description = "List the registered data sets, and what each has left.")
final class DataListCommand extends CliCommand {
  private static final List<String> HEAD =
      List.of(
          "name",
          "version",
          "state",
          "size",
          "account",
          "mu left",
          "epsilon left (one study)",
          "at delta");

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private AccountDelta delta = new AccountDelta();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      List<DataSetDocument> sets = new ArrayList<>();
      for (DataSetRecord set : store.dataSets()) {
        sets.add(DataSetDocument.of(store, set));
      }
      if (format.json()) {
        out().print(Json.write(new DataSetDocument.All(sets)));
        return ExitCode.DONE;
      }
      out().print(DataTable.of(HEAD, sets, this::row));
      return ExitCode.DONE;
    }
  }

  private DataTable.Row row(DataSetDocument set) {
    Delta at = delta.given().orElseGet(() -> set.deltaOr(ServerSettings.ACCOUNT_DELTA));
    return DataTable.row(
        set.name(),
        Long.toString(set.cardVersion()),
        set.state(),
        set.size(),
        set.account(),
        set.leftText(),
        set.leftEpsilon(at),
        DisplayNumber.delta(at));
  }
}
