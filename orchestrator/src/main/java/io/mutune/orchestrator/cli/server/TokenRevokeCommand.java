package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune token revoke}. */
@Command(
    name = "revoke",
    description = "Forget a token. A running server refuses it, and its sessions, from then on.")
final class TokenRevokeCommand extends CliCommand {
  @Mixin private TokenLocation location = new TokenLocation();

  @Parameters(paramLabel = "NAME", description = "the token's name")
  private String name = "";

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    if (!location.file().revoke(name)) {
      // Which may be the token itself, given in place of its name.
      throw new UsageException("there is no token of this name; see 'mutune token list'");
    }
    if (format.json()) {
      out().print(Json.write(Json.document().put("revoked", name)));
    }
    return ExitCode.DONE;
  }
}
