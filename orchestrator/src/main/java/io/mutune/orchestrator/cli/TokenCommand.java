package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune token}. */
@Command(
    name = "token",
    description = "Make, list and revoke the tokens that a server takes.",
    synopsisSubcommandLabel = "create|list|revoke",
    subcommands = {TokenCreateCommand.class, TokenListCommand.class, TokenRevokeCommand.class})
final class TokenCommand {}
