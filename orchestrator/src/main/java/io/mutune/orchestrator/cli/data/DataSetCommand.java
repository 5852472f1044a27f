package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command about one registered data set, which prints how that stands then. */
abstract class DataSetCommand extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "of the data set")
  private String name = "";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public final Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      act(store, find(store, name));
      out().print(answer(store, find(store, name), format.json()));
      return ExitCode.DONE;
    }
  }

  static DataSetRecord find(StudyStore store, String name) {
    return store
        .dataSet(name)
        .orElseThrow(
            () ->
                new UsageException("there is no data set '" + name + "'; see 'mutune data list'"));
  }

  /** Changes something about it. */
  void act(StudyStore store, DataSetRecord set) {}

  /** At which ε is shown beside μ; empty for the card's own, or the usual one. */
  Optional<Delta> shownDelta() {
    return Optional.empty();
  }

  String answer(StudyStore store, DataSetRecord set, boolean json) {
    DataSetDocument document = DataSetDocument.of(store, set);
    return json
        ? Json.write(document)
        : document.text(
            shownDelta().orElseGet(() -> document.deltaOr(ServerSettings.ACCOUNT_DELTA)));
  }
}
