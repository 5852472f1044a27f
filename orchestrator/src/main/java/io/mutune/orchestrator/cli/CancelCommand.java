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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mutune cancel}. */
@Command(
    name = "cancel",
    description =
        "End a study for good. What was charged stays charged; what was not is free again.")
final class CancelCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STUDY", description = "id, name-id or folder")
  private String study = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "is kept with the study; public")
  private String reason = "";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.of(study))) {
      StudyRecord record = StudyFinder.find(store, study);
      try (StudyOffice office = StudyFinder.office(store, record)) {
        StudyLine.print(office.cancel(record.id(), reason), format.json(), spec);
        return ExitCode.DONE;
      }
    }
  }
}
