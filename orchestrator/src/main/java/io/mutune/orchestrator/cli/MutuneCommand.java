package io.mutune.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code mutune} command. */
@Command(
    name = "mutune",
    description = {
      "Hyperparameter tuning on a privacy budget: one YAML file in, one (epsilon, delta) out.",
      ""
    },
    versionProvider = MutuneCommand.Version.class,
    subcommands = {
      ValidateCommand.class,
      PlanCommand.class,
      RunCommand.class,
      ResumeCommand.class,
      StatusCommand.class,
      AuditCommand.class,
      ListCommand.class,
      PredictCommand.class,
      SchemaCommand.class,
      DataCommand.class
    },
    footer = {
      "",
      "Exit status: 0 done, 2 usage or invalid file, 3 refused (the budget would be passed), 4 trials"
          + " failed, 5 storage unusable, 6 an audit does not agree, 130 interrupted."
    })
public final class MutuneCommand {
  private final Interruption interruption;

  private MutuneCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  Interruption interruption() {
    return interruption;
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = MutuneCommand.class.getPackage().getImplementationVersion();
      return new String[] {"mutune " + (version == null ? "(not from a jar)" : version)};
    }
  }

  /** Runs one command line and ends the process with its status. */
  public static void main(String[] arguments) {
    Interruption interruption = Interruption.ofSignals();
    CommandLine command = commandLine(interruption);
    PrintWriter out = new PrintWriter(System.out, false, Charset.defaultCharset());
    command.setOut(out);
    int status = command.execute(arguments);
    out.flush();
    command.getErr().flush();
    interruption.end(status);
    System.exit(status);
  }

  /**
   * The command line, with its writers still to be set by those who want others than the console.
   */
  public static CommandLine commandLine() {
    return commandLine(new Interruption());
  }

  static CommandLine commandLine(Interruption interruption) {
    CommandLine command = new CommandLine(new MutuneCommand(interruption));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler(new Failures());
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
