package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune account}: what releases cost, with no study and no data. */
@Command(
    name = "account",
    description = "What releases cost in privacy, and what a budget allows. Reads no data.",
    synopsisSubcommandLabel = "gaussian|dpsgd|compose|calibrate|select|batch",
    subcommands = {
      AccountGaussianCommand.class,
      AccountDpSgdCommand.class,
      AccountComposeCommand.class,
      AccountCalibrateCommand.class,
      AccountSelectCommand.class,
      AccountBatchCommand.class
    })
final class AccountCommand {}
