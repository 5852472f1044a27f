package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune data raise}. */
@Command(
    name = "raise",
    description =
        "Raise the budget that all studies of a data set share: an entry in its account that stays.")
final class DataRaiseCommand extends DataSetCommand {
  @Mixin private BudgetOptions budget = new BudgetOptions();

  @Override
  void act(StudyStore store, DataSetRecord set) {
    if (set.retired()) {
      say(set.name() + " is retired and takes no studies: this is for other sets of its account");
    }
    store.raise(set.card().account(), budget.cap());
  }
}
