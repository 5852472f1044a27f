package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.verify.CardSignature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune key create}. */
@Command(
    name = "create",
    description =
        "Make a key for 'mutune card --sign', in a file that only you may read, and print its public"
            + " part: publish that where whoever verifies your cards finds it.")
final class KeyCreateCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "where to leave the key; never in a study's folder")
  private @Nullable Path file;

  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (file == null) {
      throw new IllegalStateException("picocli requires it");
    }
    String known = CardSignature.createKey(file);
    if (format.json()) {
      Output.of(spec)
          .print(Json.write(Json.document().put("file", file.toString()).put("public", known)));
    } else {
      Output.of(spec).println(known);
    }
    return ExitCode.DONE;
  }
}
