package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands below {@code mutune encoder}. */
public final class EncoderCommands {
  public static final Subcommands ALL =
      Subcommands.of("list", EncoderListCommand::new)
          .and("add", EncoderAddCommand::new)
          .and("show", EncoderShowCommand::new);

  private EncoderCommands() {}
}
