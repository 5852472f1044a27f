package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.schedule.StudyOffice;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune pause}. */
@Command(
    name = "pause",
    description =
        "Let no more steps of a study begin until 'mutune resume'. What runs at a worker ends its"
            + " step first.")
final class PauseCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STUDY", description = "id, name-id or folder")
  private String study = "";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.of(study))) {
      StudyRecord record = StudyFinder.find(store, study);
      try (StudyOffice office = StudyFinder.office(store, record)) {
        StudyLine.print(office.pause(record.id()), format.json(), spec);
        return ExitCode.DONE;
      }
    }
  }
}
