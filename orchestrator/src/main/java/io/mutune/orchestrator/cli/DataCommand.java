package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune data}: data sets, for their owners. */
@Command(
    name = "data",
    description =
        "Data sets: their owner registers them by a card, and sweeps name them. Each has one budget,"
            + " forever.",
    synopsisSubcommandLabel = "draft|add|list|show|check|history|update|raise|retire",
    subcommands = {
      DataDraftCommand.class,
      DataAddCommand.class,
      DataListCommand.class,
      DataShowCommand.class,
      DataCheckCommand.class,
      DataHistoryCommand.class,
      DataUpdateCommand.class,
      DataRaiseCommand.class,
      DataRetireCommand.class
    })
final class DataCommand {}
