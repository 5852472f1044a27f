package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.verify.CardSignature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune card}. */
@Command(
    name = "card",
    description =
        "Write the model card of a finished study into its folder, as card.md and card.json. All of"
            + " it is public; the intended use is left for you to write.")
final class CardCommand extends CliCommand {
  @Parameters(paramLabel = "STUDY", description = "a finished study: id, name-id or folder")
  private Path study = Path.of("");

  @Option(
      names = "--sign",
      paramLabel = "KEY",
      description =
          "sign the card by a key of 'mutune key create'; one that is there already is signed as it"
              + " is, with the intended use that you wrote into card.json")
  private @Nullable Path key;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    Path folder = finder.folderOf(study);
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          folder
              + ": there is no such file or folder; only finished studies have a folder, and 'mutune list' shows which they are");
    }
    Path text = folder.resolve(ModelCard.TEXT);
    if (key != null && Files.exists(folder.resolve(ModelCard.JSON))) {
      return signed(folder, key, ModelCard.document(folder, ModelCard.JSON));
    }
    if (Files.exists(text)) {
      throw new UsageException(
          text
              + ": is there already, perhaps with an intended use; move it away to have a new one");
    }
    ObjectNode card = ModelCard.of(folder);
    write(folder.resolve(ModelCard.JSON), Json.write(card));
    write(text, ModelCard.text(card));
    return key == null ? told(text, card) : signed(folder, key, card);
  }

  private Integer signed(Path folder, Path key, ObjectNode card) throws IOException {
    CardSignature.sign(folder, key);
    return told(folder.resolve(ModelCard.SIGNATURE), card);
  }

  private Integer told(Path left, ObjectNode card) {
    if (format.json()) {
      out().print(Json.write(card));
    } else {
      out().println(left);
    }
    return ExitCode.DONE;
  }

  private static void write(Path path, String text) throws IOException {
    OutputFile.write(path, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
