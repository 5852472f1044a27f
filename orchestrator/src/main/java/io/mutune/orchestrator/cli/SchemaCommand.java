package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.sweep.SweepSchema;
import picocli.CommandLine.Command;

/** {@code mutune schema}. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the sweep file, for editors to complete and check it.")
final class SchemaCommand extends CliCommand {
  @Override
  public Integer call() {
    out().print(SweepSchema.text());
    return ExitCode.DONE;
  }
}
