package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.Subcommands;
import io.mutune.orchestrator.cli.command.Version;
import io.mutune.orchestrator.cli.cost.CostCommands;
import io.mutune.orchestrator.cli.data.DataCommands;
import io.mutune.orchestrator.cli.encoder.EncoderCommands;
import io.mutune.orchestrator.cli.experiment.ExperimentCommands;
import io.mutune.orchestrator.cli.model.ModelCommands;
import io.mutune.orchestrator.cli.run.RunCommands;
import io.mutune.orchestrator.cli.server.ServerCommands;
import io.mutune.orchestrator.cli.study.StudyCommands;
import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code mutune} command. */
@Command(
    name = "mutune",
    description = {
      "Hyperparameter tuning on a privacy budget: one YAML file in, one (epsilon, delta) out.",
      ""
    },
    versionProvider = Version.class,
    footer = {
      "",
      "Exit status: 0 done, 2 usage or invalid file, 3 refused (the budget would be passed), 4 trials"
          + " failed, 5 storage unusable, 6 an audit does not agree, 130 interrupted."
    })
public final class MutuneCommand implements CliCommand.Root {
  private static final Subcommands COMMANDS =
      StudyCommands.ALL
          .and(RunCommands.ALL)
          .and(ExperimentCommands.ALL)
          .and(ModelCommands.ALL)
          .and(ServerCommands.ALL)
          .and(
              "data",
              "Data sets: their owner registers them by a card, and sweeps name them. Each has one budget,"
                  + " forever.",
              DataCommands.SETS)
          .and(
              "account",
              "The budgets that the studies of a data set share. What releases cost is asked by 'mutune"
                  + " cost'.",
              DataCommands.ACCOUNTS)
          .and(
              "cost",
              "What releases cost in privacy, and what a budget allows, without a study. Reads no data.",
              CostCommands.ALL)
          .and(
              "encoder",
              "Frozen public networks that turn texts and pictures into features: those on this machine.",
              EncoderCommands.ALL)
          .and("schema", SchemaCommand::new)
          .and("help", HelpCommand::new)
          .and("completion", CompletionCommand::new)
          .inOrder(
              ("validate plan run resume submit worker watch pause cancel compare reproduce status audit list"
                      + " predict export card verify key schema data encoder attack cost account serve token"
                      + " store help completion")
                  .split(" "));

  private final Interruption interruption;

  private MutuneCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Interruption interruption() {
    return interruption;
  }

  /** Runs one command line and ends the process with its status. */
  public static void main(String[] arguments) {
    // What is written is read again by programs, and numbers of some languages have other digits.
    Locale.setDefault(Locale.ROOT);
    findHome();
    ErrorStream.open();
    Interruption interruption = Interruption.ofSignals();
    CommandLine command = commandLine(interruption, arguments);
    StandardOutput output = new StandardOutput();
    PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
    command.setOut(out);
    int status;
    try {
      status = command.execute(arguments);
    } catch (OutOfMemoryError e) {
      command.getErr().println("mutune: " + ErrorReport.ofMemory(e).orElseThrow());
      status = CommandLine.ExitCode.SOFTWARE;
    }
    out.flush();
    status = output.judged(status, command.getErr());
    command.getErr().flush();
    interruption.end(status);
    System.exit(status);
  }

  /** Java knows none of a user that the system has no name for, as in a container. */
  private static void findHome() {
    String named = System.getenv().getOrDefault("HOME", "");
    if (!new File(System.getProperty("user.home")).isAbsolute() && new File(named).isAbsolute()) {
      System.setProperty("user.home", named);
    }
  }

  /**
   * The command line, with its writers still to be set by those who want others than the console.
   */
  public static CommandLine commandLine() {
    return commandLine(new Interruption());
  }

  /** The same for words of which the first names the command: others need not be looked at then. */
  static CommandLine commandLine(Interruption interruption, String... words) {
    CommandLine command = new CommandLine(new MutuneCommand(interruption));
    COMMANDS.addTo(command, List.of(words));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    ErrorReport errors = new ErrorReport(command.getParameterExceptionHandler());
    command.setExecutionExceptionHandler(errors).setParameterExceptionHandler(errors);
    for (CommandLine each : command.getSubcommands().values()) {
      addHelp(each);
      each.getSubcommands().values().forEach(MutuneCommand::addHelp);
    }
    command.getCommandSpec().mixinStandardHelpOptions(true);
    return command;
  }

  private static void addHelp(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(true);
  }
}
