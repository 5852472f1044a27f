package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.trainer.text.EncoderLibrary;
import io.mutune.trainer.text.KnownEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune encoder show}. */
@Command(
    name = "show",
    description = "Show an encoder: what it is made of, and the column of a card that takes it.")
final class EncoderShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "as mutune encoder list has it")
  private String name = "";

  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Optional<EncoderLibrary.Entry> here = EncoderLibrary.usual().find(name);
    Optional<EncoderLibrary.Entry> known = KnownEncoder.named(name).map(KnownEncoder::entry);
    EncoderDocument encoder =
        EncoderDocument.of(
            here.or(() -> known)
                .orElseThrow(
                    () -> new UsageException("there is no encoder '" + name + "' on this machine")),
            here.isPresent());
    PrintWriter out = Output.of(spec);
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
    out.println("tokenizer  sha256 " + encoder.tokenizerSha256());
    out.printf(
        "a text     becomes %d numbers%s: at most %d tokens, pooling %s, prefix '%s'%n",
        encoder.numbers(),
        encoder.unitNorm() ? " of norm 1" : "",
        encoder.tokens(),
        encoder.pooling(),
        encoder.prefix());
    out.println(
        "in a card  NAME: {type: text, encoder: %s%s}"
            .formatted(
                encoder.name(),
                KnownEncoder.named(name).isPresent()
                    ? ""
                    : ", digest: %s, numbers: %d".formatted(encoder.digest(), encoder.numbers())));
    return ExitCode.DONE;
  }
}
