package io.mutune.orchestrator.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
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
  /** First below {@code account}, where they still work and help does not list them. */
  private static final Subcommands QUESTIONS =
      Subcommands.of("gaussian", CostGaussianCommand::new)
          .and("dpsgd", CostDpSgdCommand::new)
          .and("compose", CostComposeCommand::new)
          .and("calibrate", CostCalibrateCommand::new)
          .and("select", CostSelectCommand::new)
          .and("batch", CostBatchCommand::new);

  private static final Subcommands COMMANDS =
      Subcommands.of("validate", ValidateCommand::new)
          .and("plan", PlanCommand::new)
          .and("run", RunCommand::new)
          .and("resume", ResumeCommand::new)
          .and("submit", SubmitCommand::new)
          .and("worker", WorkerCommand::new)
          .and("watch", WatchCommand::new)
          .and("pause", PauseCommand::new)
          .and("cancel", CancelCommand::new)
          .and("compare", CompareCommand::new)
          .and("reproduce", ReproduceCommand::new)
          .and("status", StatusCommand::new)
          .and("audit", AuditCommand::new)
          .and("list", ListCommand::new)
          .and("predict", PredictCommand::new)
          .and("export", ExportCommand::new)
          .and("card", CardCommand::new)
          .and("verify", VerifyCommand::new)
          .and(
              "key",
              "Make keys that sign model cards.",
              Subcommands.of("create", KeyCreateCommand::new))
          .and("schema", SchemaCommand::new)
          .and(
              "data",
              "Data sets: their owner registers them by a card, and sweeps name them. Each has one budget,"
                  + " forever.",
              Subcommands.of("draft", DataDraftCommand::new)
                  .and("add", DataAddCommand::new)
                  .and("list", DataListCommand::new)
                  .and("show", DataShowCommand::new)
                  .and("check", DataCheckCommand::new)
                  .and("history", DataHistoryCommand::new)
                  .and("update", DataUpdateCommand::new)
                  .and("raise", DataRaiseCommand::new)
                  .and("retire", DataRetireCommand::new))
          .and(
              "encoder",
              "Frozen public networks that turn texts and pictures into features: those on this machine.",
              Subcommands.of("list", EncoderListCommand::new)
                  .and("add", EncoderAddCommand::new)
                  .and("show", EncoderShowCommand::new))
          .and(
              "attack",
              "Attack a sweep on rows that it declares public or simulated: lower bounds on epsilon, never a"
                  + " guarantee. Nothing is charged then. Of private rows 'canary' alone can be made, on released"
                  + " values, charged to the sweep's account.",
              Subcommands.of("membership", AttackMembershipCommand::new)
                  .and("canary", AttackCanaryCommand::new)
                  .and("neighbours", AttackNeighboursCommand::new))
          .and(
              "cost",
              "What releases cost in privacy, and what a budget allows, without a study. Reads no data.",
              QUESTIONS)
          .and(
              "account",
              "The budgets that the studies of a data set share. What releases cost is asked by 'mutune"
                  + " cost'.",
              Subcommands.of("create", AccountCreateCommand::new)
                  .and("show", AccountShowCommand::new)
                  .and("history", AccountHistoryCommand::new)
                  .andHidden(QUESTIONS))
          .and("serve", ServeCommand::new)
          .and(
              "token",
              "Make, list and revoke the tokens that a server takes.",
              Subcommands.of("create", TokenCreateCommand::new)
                  .and("list", TokenListCommand::new)
                  .and("revoke", TokenRevokeCommand::new))
          .and(
              "store",
              "For the store's keeper: go on from one that lost entries.",
              Subcommands.of("adopt", StoreAdoptCommand::new))
          .and("help", HelpCommand::new)
          .and("completion", CompletionCommand::new);

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
    ErrorStream.open();
    Interruption interruption = Interruption.ofSignals();
    CommandLine command = commandLine(interruption, arguments);
    PrintWriter out = new PrintWriter(System.out, false, Charset.defaultCharset());
    command.setOut(out);
    int status;
    try {
      status = command.execute(arguments);
    } catch (OutOfMemoryError e) {
      command
          .getErr()
          .println(
              "mutune: not enough memory (%s): give Java more, as by MUTUNE_JAVA_OPTS=-Xmx4g"
                  .formatted(e.getMessage()));
      status = CommandLine.ExitCode.SOFTWARE;
    }
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
