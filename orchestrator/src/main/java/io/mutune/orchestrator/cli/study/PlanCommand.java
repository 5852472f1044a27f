package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.PlainSweep;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune plan}. */
@Command(
    name = "plan",
    description =
        "Show every charge that a sweep would make, and what is left for the final run."
            + " Reads no data.")
final class PlanCommand extends CliCommand {
  @Parameters(paramLabel = "SWEEP", arity = "0..1", description = "the sweep's YAML file")
  private @Nullable Path sweepFile;

  @Mixin private PlainSweep plain = new PlainSweep();
  @Mixin private StoreOption location = new StoreOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    plain.refuseBeside(sweepFile);
    SweepFile.Sweep sweep =
        sweepFile == null
            ? plain.read(location.cards())
            : SweepFile.of(sweepFile).read(location.cards());
    StudyPlan plan = sweep.plan();
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
