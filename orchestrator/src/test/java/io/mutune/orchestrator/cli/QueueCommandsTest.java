package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of a submitted study, as the commands have it, with the store in a file. */
@Timeout(300)
class QueueCommandsTest {
  @TempDir Path folder;
  private SmallSweep sweep;

  @BeforeEach
  void writeSweep() throws Exception {
    sweep = SmallSweep.in(folder).trials(2).steps(20);
  }

  @Test
  void aSubmittedStudy_waitsForAWorkerAndIsWatchedToItsEnd() throws Exception {
    String study = submit();
    assertThat(state(study)).isEqualTo(StudyState.PLANNED);
    work();
    CommandRun watched = CommandRun.of(sweep.command("watch", study)).succeeded();
    assertThat(watched.err()).contains("is finished");
    KilledStudyTest.audit(sweep);
    assertThat(watched.folder().resolve("statement.json")).exists();
  }

  @Test
  void aCommandToBeTyped_isQuotedWhereAShellWouldCutIt() throws IOException {
    SmallSweep odd = SmallSweep.in(Files.createDirectory(folder.resolve("R & D")));
    assertThat(CommandRun.of(odd.command("submit")).succeeded().err())
        .contains("run it with: mutune worker --store '" + odd.store() + "'; follow it with: ")
        .contains(" --store '" + odd.store() + "'\n");
    submit();
    assertThat(CommandRun.of(sweep.command("submit")).succeeded().err())
        .contains("run it with: mutune worker --store " + sweep.store() + ";");
  }

  /** The commands that submit and list print name the store alone. */
  @Test
  void aStoreThatIsNamed_hasItsStudiesBesideIt() throws IOException {
    submit();
    String store = sweep.store().toString();
    CommandRun.of("worker", "--store", store, "--until-idle").succeeded();
    Path sweepFile = sweep.runs().resolveSibling("sweep.yaml");
    Path run = CommandRun.of("run", sweepFile.toString(), "--store", store).succeeded().folder();
    assertThat(run).hasParent(sweep.runs());
    try (Stream<Path> files = Files.list(sweep.runs())) {
      assertThat(files.filter(f -> Files.exists(f.resolve("statement.json"))))
          .hasSize(2)
          .contains(run);
    }
    Path own = sweep.runs().resolveSibling("own");
    Files.writeString(sweepFile, "\noutput: {directory: " + own + "}\n", StandardOpenOption.APPEND);
    assertThat(CommandRun.of("run", sweepFile.toString(), "--store", store).succeeded().folder())
        .hasParent(own);
  }

  @Test
  void aPausedStudy_isRunOnceItIsResumed() {
    String study = submit();
    CommandRun.of(sweep.command("pause", study)).succeeded();
    CommandRun.of(sweep.command("pause", study)).succeeded();
    work();
    assertThat(state(study)).isEqualTo(StudyState.PAUSED);
    assertThat(
            CommandRun.of(sweep.command("resume", study, "--master", "spark://there:7077"))
                .failedWith(ExitCode.INVALID))
        .contains("--master: a submitted study goes on at the store's workers");
    assertThat(CommandRun.of(sweep.command("resume", study)).succeeded().err())
        .contains("waits in the queue", "mutune worker --store " + sweep.store());
    try (StudyStore store = Stores.openExisting(sweep.store());
        StudyHold worker = store.hold("worker")) {
      assertThat(worker).isNotNull();
      assertThat(CommandRun.of(sweep.command("resume", study)).succeeded().err())
          .contains("goes on at the store's worker")
          .doesNotContain("waits");
    }
    work();
    assertThat(state(study)).isEqualTo(StudyState.FINISHED);
  }

  @Test
  void aCancelledStudy_isNotRunAndSaysWhy() throws Exception {
    String study = submit();
    CommandRun.of(sweep.command("cancel", study, "--reason", "the\nwrong data")).succeeded();
    assertThat(CommandRun.of(sweep.command("status", study)).succeeded().out())
        .contains(": cancelled: the wrong data\n");
    work();
    assertThat(state(study)).isEqualTo(StudyState.CANCELLED);
    CommandRun watched = CommandRun.of(sweep.command("watch", study));
    assertThat(watched.status()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(watched.err()).contains("is cancelled: the wrong data");
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.charges()).isEmpty();
    }
    assertThat(CommandRun.of(sweep.command("resume", study)).failedWith(ExitCode.INVALID))
        .contains("cancelled");
  }

  @Test
  void whatCannotBe_isSaidInALineWithTheRightStatus() {
    String study = submit();
    assertThat(CommandRun.of(sweep.command("pause", "00000000")).failedWith(ExitCode.INVALID))
        .contains("no study '00000000'");
    work();
    for (String command : new String[] {"pause", "cancel"}) {
      assertThat(CommandRun.of(sweep.command(command, study)).failedWith(ExitCode.INVALID))
          .contains("is finished");
    }
    assertThat(
            CommandRun.of(sweep.command("worker", "--threads", "0")).failedWith(ExitCode.INVALID))
        .contains("--threads");
    assertThat(
            CommandRun.of(
                    sweep.command("worker", "--store", "postgresql://nobody@localhost:1/none"))
                .failedWith(ExitCode.STORAGE))
        .contains("cannot be reached");
  }

  @Test
  void aSecondWorkerOfAFile_isRefused_byWhateverNameOfTheFile() throws IOException {
    submit();
    try (StudyStore store = Stores.openExisting(sweep.store());
        StudyHold first = store.hold("worker")) {
      assertThat(first).isNotNull();
      assertThat(CommandRun.of(sweep.command("worker")).failedWith(ExitCode.STORAGE))
          .contains("another worker", "PostgreSQL");
      Path link = Files.createSymbolicLink(sweep.runs().resolve("link.db"), sweep.store());
      assertThat(
              CommandRun.of("worker", "--store", link.toString(), "--until-idle")
                  .failedWith(ExitCode.STORAGE))
          .contains("another worker");
    }
  }

  @Test
  void aWorkerThatIsTerminated_losesNoStepAndSaysHowToGoOn() throws Exception {
    sweep.steps(2000);
    String study = submit();
    try (MutuneProcess worker = MutuneProcess.start(sweep.command("worker"));
        StoreView store = worker.store(sweep)) {
      worker.until(() -> store.held(() -> store.stepsBegun() > 100));
      worker.signal("TERM");
      store.release();
      CommandRun ended = worker.end().succeeded();
      assertThat(ended.err()).contains("mutune worker --store").doesNotContain("Exception");
      assertThat(state(study)).isEqualTo(StudyState.RUNNING);
      work();
      assertThat(state(study)).isEqualTo(StudyState.FINISHED);
      assertThat(store.stepsLost()).isZero();
    }
  }

  /** The study's id. */
  private String submit() {
    String name = CommandRun.of(sweep.command("submit")).succeeded().out().strip();
    return name.substring(name.lastIndexOf('-') + 1);
  }

  private void work() {
    CommandRun.of(sweep.command("worker", "--until-idle")).succeeded();
  }

  private StudyState state(String study) {
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      return store.study(study).orElseThrow().state();
    }
  }
}
