package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StudyStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune store adopt}. */
@Command(
    name = "adopt",
    description =
        "Go on from a store that was put back or lost its last writes: what its witness saw charged"
            + " is held for good, and studies that lost entries end. Nothing is ever given back.")
final class StoreAdoptCommand extends CliCommand {
  @Option(
      names = "--without-witness",
      description =
          "make a witness that is missing anew: every study that has not ended is cancelled and"
              + " holds all that it reserved; studies that the store has lost are counted nowhere")
  private boolean withoutWitness;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.openToAdopt()) {
      List<String> done = store.adopt(withoutWitness);
      ObjectNode json = Json.document();
      done.forEach(json.putArray("adopted")::add);
      String text =
          done.isEmpty()
              ? "The store is not behind its witness: nothing was done.\n"
              : String.join("\n", done) + "\n";
      out().print(format.json() ? Json.write(json) : text);
      return ExitCode.DONE;
    }
  }
}
