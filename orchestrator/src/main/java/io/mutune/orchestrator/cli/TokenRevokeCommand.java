package io.mutune.orchestrator.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune token revoke}. */
@Command(
    name = "revoke",
    description = "Forget a token. A running server refuses it, and its sessions, from then on.")
final class TokenRevokeCommand implements Callable<Integer> {
  @Mixin private TokenLocation location = new TokenLocation();

  @Parameters(paramLabel = "NAME", description = "the token's name")
  private String name = "";

  @Override
  public Integer call() throws IOException {
    if (!location.file().revoke(name)) {
      throw new UsageException("there is no token '" + name + "'; see 'mutune token list'");
    }
    return ExitCode.DONE;
  }
}
