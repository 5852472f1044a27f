package io.mutune.orchestrator.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

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

  @ParentCommand private @Nullable MutuneCommand mutune;

  static MutuneCommand mutune(@Nullable AttackCommand parent) {
    return Objects.requireNonNull(
        Objects.requireNonNull(parent, "picocli injects it").mutune, "picocli injects it");
  }
}
