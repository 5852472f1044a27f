package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import picocli.CommandLine.Command;

/** {@code mutune data retire}. */
@Command(
    name = "retire",
    description =
        "Take no new studies of a data set. Studies that have begun go on; nothing that was spent is"
            + " free again.")
final class DataRetireCommand extends DataSetCommand {
  @Override
  void act(StudyStore store, DataSetRecord set) {
    store.retire(set.name());
  }
}
