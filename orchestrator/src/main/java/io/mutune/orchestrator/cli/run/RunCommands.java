package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands that start, show and steer studies. */
public final class RunCommands {
  public static final Subcommands ALL =
      Subcommands.of("run", RunCommand::new)
          .and("resume", ResumeCommand::new)
          .and("submit", SubmitCommand::new)
          .and("watch", WatchCommand::new)
          .and("pause", PauseCommand::new)
          .and("cancel", CancelCommand::new);

  private RunCommands() {}
}
