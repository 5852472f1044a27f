package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/**
 * {@code mutune account}: what releases cost, with no study and no data; and data sets' accounts.
 */
@Command(
    name = "account",
    description =
        "What releases cost in privacy, and what a budget allows; and the budgets that the studies"
            + " of a data set share (create, show, history). Reads no data.",
    synopsisSubcommandLabel = "gaussian|dpsgd|compose|calibrate|select|batch|create|show|history")
final class AccountCommand {
  static final Subcommands QUESTIONS =
      Subcommands.of("gaussian", AccountGaussianCommand::new)
          .and("dpsgd", AccountDpSgdCommand::new)
          .and("compose", AccountComposeCommand::new)
          .and("calibrate", AccountCalibrateCommand::new)
          .and("select", AccountSelectCommand::new)
          .and("batch", AccountBatchCommand::new)
          .and("create", AccountCreateCommand::new)
          .and("show", AccountShowCommand::new)
          .and("history", AccountHistoryCommand::new);
}
