package io.mutune.orchestrator.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mutune completion}. */
@Command(
    name = "completion",
    description =
        "Print what completes commands and options in a shell. In Bash or Zsh: source <(mutune"
            + " completion)")
final class CompletionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Output.of(spec).println(AutoComplete.bash("mutune", MutuneCommand.commandLine()));
    Output.of(spec).flush();
    return ExitCode.DONE;
  }
}
