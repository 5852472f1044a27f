package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.GivenSweep;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune plan}. */
@Command(
    name = "plan",
    description =
        "Show every charge that a sweep would make, and what is left for the final run."
            + " Reads no data.")
final class PlanCommand extends CliCommand {
  @Mixin private GivenSweep given = new GivenSweep();
  @Mixin private StoreOption location = new StoreOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    StudyPlan plan = given.read(location.cards()).plan();
    if (location.isRetired(plan.sweep())) {
      say("the data set is retired: a study of it is refused");
    }
    out()
        .print(
            format.json()
                ? Json.write(PlanDocument.of(plan))
                : PlanDocument.text(plan, location.account(plan.sweep())));
    return ExitCode.DONE;
  }
}
