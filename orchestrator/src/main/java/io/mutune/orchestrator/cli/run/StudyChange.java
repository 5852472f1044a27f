package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that says how a study is to go on, and then where it stands. */
abstract class StudyChange extends CliCommand {
  @Parameters(paramLabel = "STUDY", description = "id, name-id or folder")
  private String study = "";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  abstract StudyRecord change(StudyQueue queue, String id);

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.of(study))) {
      StudyRecord record = StudyFinder.find(store, study);
      return change(store, record, queue -> change(queue, record.id()), format, this);
    }
  }

  /** Asks for the change of a study that was found in the store, and prints what came of it. */
  static int change(
      StudyStore store,
      StudyRecord record,
      Function<StudyQueue, StudyRecord> change,
      Format format,
      CliCommand command) {
    try (StudyQueue queue = new StudyQueue(store, record.output().resolveSibling(""))) {
      StudyLine.print(store, change.apply(queue), format.json(), command);
      return ExitCode.DONE;
    }
  }
}
