package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mutune cancel}. */
@Command(
    name = "cancel",
    description =
        "End a study for good, or the schedule that a finished one is the latest of. What was charged"
            + " stays charged; what was not is free again.")
final class CancelCommand extends StudyChange {
  @Option(names = "--reason", paramLabel = "TEXT", description = "is kept with the study; public")
  private String reason = "";

  @Override
  StudyRecord change(StudyQueue queue, String id) {
    return queue.cancel(id, reason);
  }
}
