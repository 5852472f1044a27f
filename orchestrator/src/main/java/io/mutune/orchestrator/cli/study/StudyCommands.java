package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands that read sweeps and stored studies. */
public final class StudyCommands {
  public static final Subcommands ALL =
      Subcommands.of("validate", ValidateCommand::new)
          .and("plan", PlanCommand::new)
          .and("status", StatusCommand::new)
          .and("audit", AuditCommand::new)
          .and("list", ListCommand::new)
          .and("verify", VerifyCommand::new)
          .and(
              "store",
              "For the store's keeper: go on from one that lost entries.",
              Subcommands.of("adopt", StoreAdoptCommand::new));

  private StudyCommands() {}
}
