package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyRecord;
import picocli.CommandLine.Command;

/** {@code mutune pause}. */
@Command(
    name = "pause",
    description =
        "Let no more steps of a study begin until 'mutune resume'. What runs at a worker ends its"
            + " step first.")
final class PauseCommand extends StudyChange {
  @Override
  StudyRecord change(StudyQueue queue, String id) {
    return queue.pause(id);
  }
}
