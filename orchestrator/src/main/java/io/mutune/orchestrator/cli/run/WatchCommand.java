package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mutune watch}. */
@Command(
    name = "watch",
    description =
        "Follow a study to its end, a line for each change. Ends with the status that 'mutune run'"
            + " would have had; Ctrl-C ends the watching, not the study.")
final class WatchCommand extends CliCommand {
  private static final long MILLIS_BETWEEN_LOOKS = 300;

  @Parameters(paramLabel = "STUDY", description = "id, name-id or folder")
  private String study = "";

  @Mixin private StudyFinder finder = new StudyFinder();

  @Override
  public Integer call() throws InterruptedException {
    Interruption interruption = interruption();
    try (StudyStore store = finder.open(Optional.of(study))) {
      StudyRecord record = StudyFinder.find(store, study);
      int trials = Study.ofRecord(record).plan().trials().size();
      interruption.heed();
      String told = "";
      while (!interruption.requested()) {
        try {
          record = store.study(record.id()).orElseThrow();
          String line = StudyLine.of(store, record) + progress(store, record, trials);
          told = tell(line, told);
          Optional<Integer> end = end(record);
          if (end.isPresent()) {
            if (record.state() == StudyState.FINISHED) {
              out().println(StudyFolder.told(record));
            }
            return end.get();
          }
        } catch (StoreException e) {
          told = tell(e.getMessage() + "; watching on", told);
        }
        Thread.sleep(MILLIS_BETWEEN_LOOKS);
      }
      return ExitCode.INTERRUPTED;
    }
  }

  private String tell(String line, String before) {
    if (!line.equals(before)) {
      say(line);
    }
    return line;
  }

  /** How far it is, by released values; what random stopping does is not told. */
  private static String progress(StudyStore store, StudyRecord record, int trials) {
    if (trials == 0 || record.state() != StudyState.RUNNING) {
      return "";
    }
    int done = 0;
    for (int number = 1; number <= trials; number++) {
      RunState state = store.trial(record.id(), number).state();
      done += state == RunState.PLANNED || state == RunState.CHARGED ? 0 : 1;
    }
    RunRecord last = store.trial(record.id(), RunRecord.FINAL);
    return done < trials || last.state() == RunState.PLANNED
        ? ", %d of %d trials trained".formatted(done, trials)
        : ", the final run";
  }

  private static Optional<Integer> end(StudyRecord record) {
    return switch (record.state()) {
      case FINISHED -> Optional.of(ExitCode.DONE);
      case FAILED -> Optional.of(ExitCode.TRIALS_FAILED);
      case REFUSED -> Optional.of(ExitCode.REFUSED);
      case CANCELLED -> Optional.of(ExitCode.INTERRUPTED);
      case PLANNED, RUNNING, PAUSED -> Optional.empty();
    };
  }
}
