package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mutune data update}. */
@Command(
    name = "update",
    description =
        "Register changed files, or a changed card, of a data set. Its account stays the same one,"
            + " forever: nothing that was spent is free again.")
final class DataUpdateCommand extends DataAddCommand {
  @Override
  Optional<DataSetRecord> before(StudyStore store, String name) {
    return Optional.of(DataSetCommand.find(store, name));
  }
}
