package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.ModelCard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune card}. */
@Command(
    name = "card",
    description =
        "Write the model card of a finished study into its folder, as card.md and card.json. All of"
            + " it is public; the intended use is left for you to write.")
final class CardCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "a finished study's folder")
  private @Nullable Path folder;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (folder == null) {
      throw new IllegalStateException("picocli requires it");
    }
    Path text = folder.resolve(ModelCard.TEXT);
    if (Files.exists(text)) {
      throw new UsageException(
          text
              + ": is there already, perhaps with an intended use; move it away to have a new one");
    }
    ObjectNode card = ModelCard.of(folder);
    write(folder.resolve(ModelCard.JSON), Json.write(card));
    write(text, ModelCard.text(card));
    Output.of(spec).println(text);
    return ExitCode.DONE;
  }

  private static void write(Path path, String text) throws IOException {
    WholeFile.write(path, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
