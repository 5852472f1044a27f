package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune key}. */
@Command(
    name = "key",
    description = "Make keys that sign model cards.",
    synopsisSubcommandLabel = "create",
    subcommands = KeyCreateCommand.class)
final class KeyCommand {}
