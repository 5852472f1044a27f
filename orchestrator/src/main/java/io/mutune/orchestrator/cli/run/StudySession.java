package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.command.WorkingEngine;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.ResultText;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** One start of a study at a terminal: lock, progress, interruption, results. */
record StudySession(
    StudyStore store, Study study, Format format, Optional<Cluster> cluster, CliCommand command) {
  static void refuseEnded(StudyRecord record) {
    if (record.state() == StudyState.FINISHED) {
      throw new UsageException(
          "study " + record.id() + " is finished, with its results in " + StudyFolder.told(record));
    }
    if (record.state().isFinal()) {
      throw new UsageException(
          "study %s was %s%s"
              .formatted(
                  record.id(),
                  record.state().key(),
                  record.reason().map(reason -> ": " + reason).orElse("")));
    }
  }

  @SuppressWarnings("try") // what is held is not used
  int run() throws IOException {
    Engine engine = WorkingEngine.here();
    Interruption interruption = command.interruption();
    try (StudyHold hold = store.hold(study.id())) {
      // Who held it before may have finished it since the record was read.
      refuseEnded(store.study(study.id()).orElseThrow());
      interruption.heed();
      Cancellation cancellation = new Cancellation(store, study.id(), System::nanoTime);
      try {
        return run(engine, interruption, cancellation);
      } catch (IllegalStateException e) {
        // Where somebody else has moved it on, it can only be cancelled.
        command.say(cancellation.now().orElseThrow(() -> e));
        return ExitCode.INTERRUPTED;
      }
    }
  }

  private int run(Engine engine, Interruption interruption, Cancellation cancellation)
      throws IOException {
    store.move(study.id(), StudyState.RUNNING);
    StudyResult result;
    try (ConsoleProgress progress = ConsoleProgress.of(store, study, command.errors())) {
      RunEnvironment environment =
          new RunEnvironment(engine, progress, cancellation::isSeen)
              .interruptedBy(interruption::requested)
              .keyed(DataKeys.here())
              .heldBy(progress)
              .on(cluster);
      result = new StudyRunner(store, study, environment).run();
    } catch (StudyInterruptedException | StoreException e) {
      return stopped(cancellation, e);
    } catch (IOException e) {
      if (cancellation.now().isEmpty() && holdsBudget()) {
        command.say(
            "study %s has stopped; everything charged and released so far is kept. Go on with: %s, or give it up with: %s"
                .formatted(study.id(), with("resume"), with("cancel")));
      }
      throw e;
    }
    Optional<String> elsewhere = cancellation.now().or(this::movedOn);
    if (elsewhere.isPresent()) {
      command.say(elsewhere.get());
      return ExitCode.INTERRUPTED;
    }
    Path folder = write(result);
    store.move(study.id(), StudyState.FINISHED);
    print(result, folder);
    return ExitCode.DONE;
  }

  private boolean holdsBudget() {
    try {
      return study.sweep().chargedAccount().isPresent() || !store.charges(study.id()).isEmpty();
    } catch (StoreException e) {
      return false; // what stopped the study is what is reported
    }
  }

  /** What to say where another process, which this one lost its hold to, has ended the study. */
  private Optional<String> movedOn() {
    return store
        .study(study.id())
        .filter(record -> record.state() != StudyState.RUNNING)
        .map(
            record ->
                "study %s is %s by now, by another process: its results are not written here; see 'mutune status %s'"
                    .formatted(study.id(), record.state().key(), study.id()));
  }

  /** Says why it stopped, unless that is a failure of the store's. */
  private int stopped(Cancellation cancellation, RuntimeException e) {
    Optional<String> cancelled = cancellation.now();
    if (cancelled.isEmpty() && e instanceof StoreException) {
      throw e;
    }
    command.say(
        cancelled.orElseGet(
            () ->
                "interrupted; everything charged and released so far is kept. Go on with: "
                    + with("resume")));
    return ExitCode.INTERRUPTED;
  }

  private Path write(StudyResult result) {
    try {
      return StudyFolder.write(result);
    } catch (IOException | UncheckedIOException e) {
      throw new StoreException(
          study.record().output()
              + ": the results cannot be written ("
              + e.getMessage()
              + "); make room and run: "
              + with("resume"),
          e);
    }
  }

  /** A command by the folder, which names the store too, if that is beside it. */
  private String with(String name) {
    Path folder = study.record().output();
    boolean beside =
        store.location().equals(String.valueOf(folder.resolveSibling(StoreOption.FILE)));
    return "mutune %s ".formatted(name)
        + CliCommand.word(folder.toString())
        + (beside ? "" : " --store " + CliCommand.word(store.location()));
  }

  private void print(StudyResult result, Path folder) {
    if (format.json()) {
      ObjectNode document = Json.document();
      document.set("result", Json.tree(ResultDocument.of(result)));
      document.set("statement", Json.tree(StatementDocument.of(result)));
      document.put("folder", folder.toString());
      command.out().print(Json.write(document));
    } else {
      command.out().println(ResultText.of(result));
      command.out().println(StatementDocument.of(result).text());
      command.out().println(folder);
    }
    command.out().flush();
  }
}
