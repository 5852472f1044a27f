package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands that use a released model. */
public final class ModelCommands {
  public static final Subcommands ALL =
      Subcommands.of("predict", PredictCommand::new)
          .and("export", ExportCommand::new)
          .and("card", CardCommand::new)
          .and(
              "key",
              "Make keys that sign model cards.",
              Subcommands.of("create", KeyCreateCommand::new));

  private ModelCommands() {}
}
