package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.GivenSweep;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.PerInstanceCosts;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune run}. */
@Command(
    name = "run",
    description =
        "Run a sweep: trials, scores, final model, and the privacy statement of it all. The last"
            + " line names the folder with the results.")
final class RunCommand extends CliCommand {
  @Mixin private GivenSweep given = new GivenSweep();
  @Mixin private FormCheck check = new FormCheck();
  @Mixin private FolderOption output = new FolderOption();
  @Mixin private MetricsOption metrics = new MetricsOption();
  @Mixin private LogToOption logTo = new LogToOption();
  @Mixin private ClusterOption cluster = new ClusterOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    SweepFile.Sweep read = given.readOrWrite(output.cards(), this);
    read.plan();
    Path folder = output.of(read);
    SweepFile.Sweep sweep =
        check.of(read, given.name(), () -> Stores.owners(output.store(folder), folder), this);
    StudyPlan plan = sweep.plan();
    Optional<MlflowLog> log = logTo.open(plan.sweep().name(), interruption());
    try (ClusterOption.Connection machines = cluster.open(plan.sweep(), interruption());
        StudyStore opened = Stores.open(output.store(folder), folder)) {
      metrics.check(plan.sweep(), given.file());
      StudyStore store = metrics.around(opened);
      Study study = Study.create(plan, sweep.text(), sweep.context(), folder);
      StudyFolder.prepare(study.record().output());
      new PerInstanceCosts(study).checkFile();
      interruption().heed(); // a study that is entered is heard of, however early the signal comes
      study.enter(store);
      int status =
          metrics.left(
              store,
              study,
              this,
              () -> new StudySession(store, study, format, machines.cluster(), this).run());
      if (status == ExitCode.DONE && log.isPresent()) {
        log.get().log(study.record().output(), this);
      }
      return status;
    }
  }
}
