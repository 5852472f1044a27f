package io.mutune.orchestrator.cli.study;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Problem;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune validate}: every mistake of a sweep file, and whether its plan fits its budget. */
@Command(
    name = "validate",
    description = "Check a sweep file and report every mistake at once. Reads no data.")
final class ValidateCommand extends CliCommand {
  @Mixin private SweepFile file = new SweepFile();
  @Mixin private StoreOption location = new StoreOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    if (!format.json()) {
      StudyPlan plan = file.read(location.cards()).plan();
      boolean hasRoom =
          location
              .account(plan.sweep())
              .map(now -> plan.accountCost().filter(now::hasRoomFor).isPresent())
              .orElse(true);
      out()
          .println(
              file.path()
                  + ": valid, and its plan fits its budget"
                  + (hasRoom ? "" : ", but not what its account has left ('mutune plan')"));
      return ExitCode.DONE;
    }
    List<Problem> problems = List.of();
    int status = ExitCode.DONE;
    try {
      file.read(location.cards()).plan();
    } catch (InvalidSweepException e) {
      problems = e.problems();
      status = ExitCode.INVALID;
    } catch (OverBudgetException e) {
      problems = List.of(new Problem(file.path().toString(), 0, String.valueOf(e.getMessage())));
      status = ExitCode.REFUSED;
    }
    ObjectNode json = Json.document().put("valid", problems.isEmpty());
    ArrayNode array = json.putArray("problems");
    problems.forEach(problem -> array.add(Json.tree(problem)));
    out().print(Json.write(json));
    return status;
  }
}
