package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune cost}: privacy costs, with no study and no data. */
@Command(
    name = "cost",
    description =
        "What releases cost in privacy, and what a budget allows, without a study. Reads no data.",
    synopsisSubcommandLabel = "gaussian|dpsgd|compose|calibrate|select|batch")
final class CostCommand {
  static final Subcommands QUESTIONS =
      Subcommands.of("gaussian", CostGaussianCommand::new)
          .and("dpsgd", CostDpSgdCommand::new)
          .and("compose", CostComposeCommand::new)
          .and("calibrate", CostCalibrateCommand::new)
          .and("select", CostSelectCommand::new)
          .and("batch", CostBatchCommand::new);
}
