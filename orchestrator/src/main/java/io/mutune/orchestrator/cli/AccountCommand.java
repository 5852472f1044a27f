package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/**
 * {@code mutune account}: the budgets of data sets. It also takes the questions of {@code mutune
 * cost}, which had this name first; help does not list them.
 */
@Command(
    name = "account",
    description =
        "The budgets that the studies of a data set share. What releases cost is asked by 'mutune"
            + " cost'.",
    synopsisSubcommandLabel = "create|show|history")
final class AccountCommand {
  static final Subcommands BUDGETS =
      Subcommands.of("create", AccountCreateCommand::new)
          .and("show", AccountShowCommand::new)
          .and("history", AccountHistoryCommand::new)
          .andHidden(CostCommand.QUESTIONS);
}
