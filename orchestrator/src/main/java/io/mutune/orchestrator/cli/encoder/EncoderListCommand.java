package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.display.NearestWord;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.KnownEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune encoder list}. */
@Command(
    name = "list",
    description = "List the encoders that are known by name, and those on this machine.")
final class EncoderListCommand extends CliCommand {
  @Mixin private Format format = new Format();

  /**
   * For a message about a name that no encoder has: the one that was probably meant, or all.
   *
   * @param here those of this machine, beside the known ones
   */
  static String known(String name, List<EncoderLibrary.Entry> here) {
    List<String> names =
        Stream.concat(
                KnownEncoder.ALL.stream().map(KnownEncoder::name),
                here.stream().map(EncoderLibrary.Entry::name))
            .distinct()
            .toList();
    return NearestWord.advice(name, names).orElse("; there are: " + String.join(", ", names));
  }

  @Override
  public Integer call() throws IOException {
    List<EncoderLibrary.Entry> here = EncoderLibrary.usual().entries();
    List<EncoderDocument> all = new ArrayList<>();
    for (KnownEncoder known : KnownEncoder.ALL) {
      if (here.stream().noneMatch(entry -> entry.name().equals(known.name()))) {
        all.add(EncoderDocument.of(known.entry(), false));
      }
    }
    here.forEach(entry -> all.add(EncoderDocument.of(entry, true)));
    if (format.json()) {
      out().print(Json.write(all));
      return ExitCode.DONE;
    }
    out()
        .print(
            DataTable.of(
                List.of("name", "of", "on this machine", "numbers", "licence", "source"),
                all,
                one ->
                    DataTable.row(
                        one.name(),
                        one.of() + "s",
                        one.onThisMachine() ? "yes" : "no",
                        Integer.toString(one.numbers()),
                        one.licence(),
                        one.source())));
    if (all.stream().anyMatch(one -> !one.onThisMachine())) {
      say("one that is not on this machine is put there by: mutune encoder add NAME");
    }
    return ExitCode.DONE;
  }
}
