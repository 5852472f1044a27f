package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.input.AccountDelta;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune data history}. */
@Command(
    name = "history",
    description =
        "List every entry of the account of a data set: studies, and what its owner has done.")
final class DataHistoryCommand extends DataSetCommand {
  @Mixin private AccountDelta delta = new AccountDelta();

  @Override
  String answer(StudyStore store, DataSetRecord set, boolean json) {
    return AccountHistoryCommand.answer(store, set.card().account(), delta, json);
  }
}
