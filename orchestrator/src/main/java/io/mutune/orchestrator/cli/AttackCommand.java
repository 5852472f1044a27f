package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune attack}: what an attacker can tell. */
@Command(
    name = "attack",
    description =
        "Attack a sweep on rows that it declares public or simulated: lower bounds on epsilon, never a"
            + " guarantee. Nothing is charged then. Of private rows 'canary' alone can be made, on released"
            + " values, charged to the sweep's account.",
    synopsisSubcommandLabel = "membership|canary|neighbours")
final class AttackCommand {
  static final Subcommands KINDS =
      Subcommands.of("membership", AttackMembershipCommand::new)
          .and("canary", AttackCanaryCommand::new)
          .and("neighbours", AttackNeighboursCommand::new);
}
