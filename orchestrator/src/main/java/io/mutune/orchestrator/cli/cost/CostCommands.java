package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands below {@code mutune cost}. */
public final class CostCommands {
  public static final Subcommands ALL =
      Subcommands.of("gaussian", CostGaussianCommand::new)
          .and("dpsgd", CostDpSgdCommand::new)
          .and("compose", CostComposeCommand::new)
          .and("calibrate", CostCalibrateCommand::new)
          .and("select", CostSelectCommand::new)
          .and("batch", CostBatchCommand::new);

  private CostCommands() {}
}
