package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.UsageException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mutune help}: what {@code --help} of a command prints. */
@Command(name = "help", description = "Show the help of a command, or of all of them.")
final class HelpCommand extends CliCommand {
  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "such as: run, or: data add (default: the list of commands)")
  private List<String> words = List.of();

  @Override
  public Integer call() {
    CommandLine found = MutuneCommand.commandLine();
    for (String word : words) {
      Map<String, CommandLine> below = found.getSubcommands();
      CommandLine next = below.get(word);
      if (next == null) {
        throw new UsageException(
            below.isEmpty()
                ? "there is nothing below '%s'".formatted(found.getCommandSpec().qualifiedName())
                : "there is no command '%s' below '%s'; there are: %s"
                    .formatted(
                        word,
                        found.getCommandSpec().qualifiedName(),
                        String.join(", ", below.keySet())));
      }
      found = next;
    }
    found.usage(out());
    out().flush();
    return ExitCode.DONE;
  }
}
