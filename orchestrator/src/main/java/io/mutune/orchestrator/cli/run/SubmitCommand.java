package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.Submission;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune submit}. */
@Command(
    name = "submit",
    description =
        "Put a sweep of a registered data set in the queue of a store, for 'mutune worker' or 'mutune serve' to run. The last"
            + " line names the study.")
final class SubmitCommand extends CliCommand {
  @Mixin private SweepFile file = new SweepFile();

  @Mixin private FolderOption output = new FolderOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    SweepFile.Sweep sweep = file.readSubmitted(output.cards());
    sweep.plan();
    Path folder = output.of(sweep);
    StoreLocation place = output.store(folder);
    try (StudyStore store = Stores.open(place, folder);
        StudyQueue queue = new StudyQueue(store, folder)) {
      Submission submission = new Submission(file.path().toString(), sweep.text(), sweep.context());
      StudyRecord study = queue.submit(submission);
      if (study.state() != StudyState.REFUSED) {
        String named = word(place.toString());
        say(
            "in the queue; run it with: mutune worker --store %s; follow it with: mutune watch"
                    .formatted(named)
                + " %s --store %s".formatted(study.id(), named));
      }
      StudyLine.print(store, study, format.json(), this);
      return study.state() == StudyState.REFUSED ? ExitCode.REFUSED : ExitCode.DONE;
    }
  }
}
