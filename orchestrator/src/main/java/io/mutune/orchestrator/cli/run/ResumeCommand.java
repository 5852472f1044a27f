package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.schedule.Worker;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyDataFiles;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune resume}. */
@Command(
    name = "resume",
    description =
        "Go on with a study that was interrupted or paused; one that was submitted goes on at the"
            + " store's workers (which leave no --metrics). Steps lost in a crash stay charged and are not asked again.")
final class ResumeCommand extends CliCommand {
  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description =
          "id, name-id or folder (default: the one unfinished study, else the one that has failed)")
  private @Nullable String study;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private MetricsOption metrics = new MetricsOption();
  @Mixin private ClusterOption cluster = new ClusterOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    try (StudyStore opened = finder.open(Optional.ofNullable(study))) {
      StudyStore store = metrics.around(opened);
      StudyRecord record =
          study == null ? StudyFinder.unfinished(store) : StudyFinder.find(store, study);
      StudySession.refuseEnded(record);
      if (Study.hasCanaries(record)) {
        throw new UsageException(
            "study %s is an audit and cannot go on: which of its canaries took part was in the memory of its process alone; end it with 'mutune cancel'"
                .formatted(record.id()));
      }
      if (record.queued()) {
        cluster.refuseAtWorkers();
        int status =
            StudyChange.change(store, record, queue -> queue.resume(record.id()), format, this);
        say(whoRuns(store));
        return status;
      }
      Study resumed = Study.ofRecord(record);
      StudyDataFiles.of(store, resumed);
      metrics.check(resumed.sweep(), Optional.empty());
      try (ClusterOption.Connection machines = cluster.open(resumed.sweep(), interruption())) {
        return metrics.left(
            store,
            resumed,
            this,
            () -> new StudySession(store, resumed, format, machines.cluster(), this).run());
      }
    }
  }

  private static String whoRuns(StudyStore store) {
    String start = "start one with: mutune worker --store " + word(store.location());
    return Worker.isThere(store)
        .map(
            there ->
                there
                    ? "it goes on at the store's worker"
                    : "it waits in the queue: no worker runs; " + start)
        .orElse("it goes on at the store's workers; if none runs, " + start);
  }
}
