package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.server.TokenFile;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune token list}. */
@Command(name = "list", description = "List the tokens that a server takes, oldest first.")
final class TokenListCommand extends CliCommand {
  @Mixin private TokenLocation location = new TokenLocation();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    TokenFile file = location.file();
    out()
        .print(
            format.json()
                ? Json.write(file.document())
                : DataTable.of(
                    List.of("name", "role", "created"),
                    file.tokens(),
                    token ->
                        DataTable.row(
                            token.name(), token.role().key(), token.created().toString())));
    return ExitCode.DONE;
  }
}
