package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands that run studies to learn about studies. */
public final class ExperimentCommands {
  public static final Subcommands ALL =
      Subcommands.of("compare", CompareCommand::new)
          .and("reproduce", ReproduceCommand::new)
          .and(
              "attack",
              "Attack a sweep on rows that it declares public or simulated: lower bounds on epsilon, never a"
                  + " guarantee. Nothing is charged then. Of private rows 'canary' alone can be made, on released"
                  + " values, charged to the sweep's account.",
              Subcommands.of("membership", AttackMembershipCommand::new)
                  .and("canary", AttackCanaryCommand::new)
                  .and("neighbours", AttackNeighboursCommand::new));

  private ExperimentCommands() {}
}
