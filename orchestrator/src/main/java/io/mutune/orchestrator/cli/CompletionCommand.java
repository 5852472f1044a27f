package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code mutune completion}. */
@Command(
    name = "completion",
    description =
        "Print what completes commands and options in a shell. In Bash or Zsh: source <(mutune"
            + " completion)")
final class CompletionCommand extends CliCommand {
  @Override
  public Integer call() {
    out().println(AutoComplete.bash("mutune", MutuneCommand.commandLine()));
    out().flush();
    return ExitCode.DONE;
  }
}
