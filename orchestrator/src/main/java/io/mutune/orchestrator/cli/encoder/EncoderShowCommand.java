package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.encoder.EncoderDocument.Pictures;
import io.mutune.orchestrator.cli.encoder.EncoderDocument.Texts;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.KnownEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune encoder show}. */
@Command(
    name = "show",
    description = "Show an encoder: what it is made of, and what of a card takes it.")
final class EncoderShowCommand extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "as mutune encoder list has it")
  private String name = "";

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    EncoderLibrary library = EncoderLibrary.usual();
    Optional<EncoderLibrary.Entry> here = library.find(name);
    Optional<EncoderLibrary.Entry> known = KnownEncoder.named(name).map(KnownEncoder::entry);
    Optional<EncoderLibrary.Entry> found = here.or(() -> known);
    if (found.isEmpty()) {
      throw new UsageException(
          "there is no encoder '%s'%s"
              .formatted(name, EncoderListCommand.known(name, library.entries())));
    }
    EncoderDocument encoder = EncoderDocument.of(found.get(), here.isPresent());
    PrintWriter out = out();
    if (format.json()) {
      out.print(Json.write(encoder));
      return ExitCode.DONE;
    }
    out.println("encoder    " + encoder.name());
    out.println("source     " + encoder.source());
    out.println("licence    " + encoder.licence());
    out.println("on this machine: " + (encoder.onThisMachine() ? "yes" : "no"));
    out.println("digest     " + encoder.digest());
    out.println("network    sha256 " + encoder.modelSha256());
    encoder.texts().ifPresent(texts -> print(out, encoder, texts));
    encoder.pictures().ifPresent(pictures -> print(out, encoder, pictures));
    return ExitCode.DONE;
  }

  private static void print(PrintWriter out, EncoderDocument encoder, Texts texts) {
    out.println("tokenizer  sha256 " + encoder.tokenizerSha256().orElseThrow());
    out.printf(
        "a text     becomes %d numbers%s: at most %d tokens, pooling %s, prefix '%s'%n",
        encoder.numbers(),
        texts.unitNorm() ? " of norm 1" : "",
        texts.tokens(),
        texts.pooling(),
        texts.prefix());
    boolean isKnown = KnownEncoder.named(encoder.name()).isPresent();
    out.printf(
        "in a card  NAME: {type: text, encoder: %s%s}%n",
        encoder.name(), isKnown ? "" : ", " + digest(encoder));
  }

  private static void print(PrintWriter out, EncoderDocument encoder, Pictures pictures) {
    out.printf(
        "a picture  becomes %d numbers%s%n",
        encoder.numbers(), pictures.output().map(layer -> " of the layer " + layer).orElse(""));
    out.printf(
        "           brought to %d x %d with %d channels from 0 to 1, less %s, divided by %s%n",
        pictures.height(), pictures.width(), pictures.channels(), pictures.mean(), pictures.std());
    out.printf(
        "in a card  {path: FOLDER, format: images, encoder: %s, %s, …}%n",
        encoder.name(), digest(encoder));
  }

  private static String digest(EncoderDocument encoder) {
    return "digest: %s, numbers: %d%s"
        .formatted(
            encoder.digest(),
            encoder.numbers(),
            encoder.source().equals(EncoderAddCommand.NO_SOURCE)
                ? ""
                : ", source: '%s'".formatted(encoder.source().replace("'", "''")));
  }
}
