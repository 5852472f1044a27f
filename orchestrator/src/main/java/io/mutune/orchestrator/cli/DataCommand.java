package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune data}: for whoever holds the private files. */
@Command(
    name = "data",
    description = "For the data's owner: look into the files that a sweep names.",
    synopsisSubcommandLabel = "check",
    subcommands = DataCheckCommand.class)
final class DataCommand {}
