package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune store}: for whoever keeps the store. */
@Command(
    name = "store",
    description = "For the store's keeper: go on from one that lost entries.",
    synopsisSubcommandLabel = "adopt",
    subcommands = StoreAdoptCommand.class)
final class StoreCommand {}
