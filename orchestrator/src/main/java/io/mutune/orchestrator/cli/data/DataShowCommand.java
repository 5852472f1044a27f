package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.cli.input.AccountDelta;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune data show}. */
@Command(
    name = "show",
    description = "Show what is public of a data set: its card without files, and its budget.")
final class DataShowCommand extends DataSetCommand {
  @Mixin private AccountDelta delta = new AccountDelta();

  @Override
  Optional<Delta> shownDelta() {
    return delta.given();
  }
}
