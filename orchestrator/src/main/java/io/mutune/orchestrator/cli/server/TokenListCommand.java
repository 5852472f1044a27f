package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.server.AccessToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune token list}. */
@Command(name = "list", description = "List the tokens that a server takes, oldest first.")
final class TokenListCommand extends CliCommand {
  @Mixin private TokenLocation location = new TokenLocation();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    List<DataTable.Row> rows = new ArrayList<>();
    ObjectNode json = Json.document();
    ArrayNode tokens = json.putArray("tokens");
    for (AccessToken token : location.file().tokens()) {
      String created = token.created().toString();
      rows.add(DataTable.row(token.name(), token.role().key(), created));
      tokens
          .addObject()
          .put("name", token.name())
          .put("role", token.role().key())
          .put("created", created);
    }
    out()
        .print(
            format.json()
                ? Json.write(json)
                : new DataTable(List.of("name", "role", "created"), rows));
    return ExitCode.DONE;
  }
}
