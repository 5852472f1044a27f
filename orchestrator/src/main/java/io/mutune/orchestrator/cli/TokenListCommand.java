package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.server.AccessToken;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mutune token list}. */
@Command(name = "list", description = "List the tokens that a server takes, oldest first.")
final class TokenListCommand implements Callable<Integer> {
  @Mixin private TokenLocation location = new TokenLocation();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TextTable table = new TextTable("name", "role", "created");
    for (AccessToken token : location.file().tokens()) {
      table.row(token.name(), token.role().key(), token.created().toString());
    }
    Output.of(spec).print(table);
    return ExitCode.DONE;
  }
}
