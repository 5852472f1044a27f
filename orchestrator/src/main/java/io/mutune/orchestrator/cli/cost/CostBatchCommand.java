package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cost.Batch;
import io.mutune.orchestrator.cost.ExactJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune cost batch}: one answer a line, each printed as soon as it is known. */
@Command(
    name = "batch",
    description =
        "Answer a JSON list of queries in order. A query that cannot be answered gets an error in"
            + " its place.")
final class CostBatchCommand extends CliCommand {
  @Parameters(
      paramLabel = "FILE",
      description = "a JSON list, or an object whose rows are one; - is standard input")
  private String file = "-";

  @Override
  public Integer call() throws IOException {
    Batch batch;
    try {
      batch = Batch.read(InputText.read(file));
    } catch (IllegalArgumentException e) {
      throw new UsageException(InputText.name(file) + ": " + e.getMessage());
    }
    PrintWriter out = out();
    out.print("[");
    String separator = "\n";
    int refused = 0;
    for (Iterator<ObjectNode> answers = batch.answers(); answers.hasNext(); separator = ",\n") {
      ObjectNode answer = answers.next();
      refused += answer.has("error") ? 1 : 0;
      out.print(separator + ExactJson.line(answer));
      out.flush();
    }
    out.print("\n]\n");
    if (refused > 0) {
      errors().println("mutune: %d could not be answered; see their errors".formatted(refused));
    }
    return ExitCode.DONE;
  }
}
