package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.verify.CardSignature;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune key create}. */
@Command(
    name = "create",
    description =
        "Make a key for 'mutune card --sign', in a file that only you may read, and print its public"
            + " part: publish that where whoever verifies your cards finds it.")
final class KeyCreateCommand extends CliCommand {
  @Parameters(
      paramLabel = "FILE",
      description = "where to leave the key; never in a study's folder")
  private Path file = Path.of("");

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    String known = CardSignature.createKey(file);
    if (format.json()) {
      out().print(Json.write(Json.document().put("file", file.toString()).put("public", known)));
    } else {
      out().println(known);
    }
    return ExitCode.DONE;
  }
}
