package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.command.Subcommands;

/** The commands of data sets and of accounts. */
public final class DataCommands {
  /** Below {@code mutune data}. */
  public static final Subcommands SETS =
      Subcommands.of("draft", DataDraftCommand::new)
          .and("add", DataAddCommand::new)
          .and("list", DataListCommand::new)
          .and("show", DataShowCommand::new)
          .and("check", DataCheckCommand::new)
          .and("history", DataHistoryCommand::new)
          .and("update", DataUpdateCommand::new)
          .and("raise", DataRaiseCommand::new)
          .and("retire", DataRetireCommand::new);

  /** Below {@code mutune account}. */
  public static final Subcommands ACCOUNTS =
      Subcommands.of("create", AccountCreateCommand::new)
          .and("show", AccountShowCommand::new)
          .and("history", AccountHistoryCommand::new);

  private DataCommands() {}
}
