package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands of a server and of workers. */
public final class ServerCommands {
  public static final Subcommands ALL =
      Subcommands.of("worker", WorkerCommand::new)
          .and("serve", ServeCommand::new)
          .and(
              "token",
              "Make, list and revoke the tokens that a server takes.",
              Subcommands.of("create", TokenCreateCommand::new)
                  .and("list", TokenListCommand::new)
                  .and("revoke", TokenRevokeCommand::new));

  private ServerCommands() {}
}
