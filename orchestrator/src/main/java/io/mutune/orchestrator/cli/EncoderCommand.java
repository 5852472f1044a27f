package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune encoder}: the frozen networks that turn texts and pictures into features. */
@Command(
    name = "encoder",
    description =
        "Frozen public networks that turn texts and pictures into features: those on this machine.",
    synopsisSubcommandLabel = "list|add|show",
    subcommands = {EncoderListCommand.class, EncoderAddCommand.class, EncoderShowCommand.class})
final class EncoderCommand {}
