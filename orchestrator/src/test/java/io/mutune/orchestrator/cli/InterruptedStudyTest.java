package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.trainer.gradient.Engine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A study that is asked to stop loses nothing; one that runs is run by nobody else. */
@Timeout(120)
class InterruptedStudyTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aSignal_endsAStudyWithTheWayToGoOn_andNoStepIsLost(String signal) throws Exception {
    assumeFalse(
        signal.equals("INT") && MutuneProcess.ignoresInterrupts(),
        "SIGINT is ignored here, and so by every child: run in the foreground of a shell");
    SmallSweep sweep =
        SmallSweep.in(Files.createDirectory(folder.resolve("somebody's rows"))).steps(2000);
    CommandRun stopped;
    try (MutuneProcess process = MutuneProcess.start(sweep.command("run"));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.held(() -> store.stepsBegun() > 2500));
      process.signal(signal);
      store.release();
      stopped = process.end();
    }
    String line = stopped.failedWith(ExitCode.INTERRUPTED);
    assertThat(line).contains("interrupted", "mutune resume ");
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of("resume", typed(line.substring(line.indexOf("resume ") + "resume ".length())))
        .succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.stepsLost()).isZero();
      assertThat(store.stepsBegun()).isEqualTo(4 * 2000);
      assertThat(store.charges()).hasSize(7);
    }
  }

  @Test
  void aStudyThatAnotherProcessRuns_isNotResumed() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(100_000);
    try (MutuneProcess process = MutuneProcess.start(sweep.command("run"));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.stepsBegun() > 0);
      String line = CommandRun.of(sweep.command("resume")).failedWith(ExitCode.STORAGE);
      assertThat(line).contains("is being run by another process");
      CommandRun.of(sweep.command("audit")).succeeded();
      CommandRun.of(sweep.command("status")).succeeded();
      // Nor where its results would go elsewhere, by another name of the store.
      String link = Files.createSymbolicLink(folder.resolve("link.db"), sweep.store()).toString();
      String other = folder.resolve("other").toString();
      assertThat(
              CommandRun.of("resume", "--store", link, "--output", other)
                  .failedWith(ExitCode.STORAGE))
          .contains("is being run by another process");
      assertThat(CommandRun.of("status", "--store", link, "--output", other).succeeded().out())
          .contains("running")
          .doesNotContain("interrupted");
      process.signal("TERM");
      assertThat(process.end().status()).isEqualTo(ExitCode.INTERRUPTED);
      assertThat(store.stepsLost()).isZero();
    }
  }

  @Test
  void anInterruptedStudy_isNotPaused_sinceNoProcessRunsIt() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(100);
    Interruption interruption = new Interruption();
    interruption.request();
    CommandRun.of(interruption, sweep.command("run")).failedWith(ExitCode.INTERRUPTED);
    String study;
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      study = store.studies().get(0).id();
    }
    assertThat(CommandRun.of(sweep.command("pause", study)).failedWith(ExitCode.INVALID))
        .contains("study " + study + " does not run", "'mutune cancel " + study + "' ends it")
        .doesNotContain("Ctrl-C");
  }

  @Test
  void aFinishedStudy_isNotResumed() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5);
    CommandRun run = CommandRun.run(sweep).succeeded();
    assertThat(CommandRun.of("resume", run.folder().toString()).failedWith(ExitCode.INVALID))
        .contains("is finished");
    assertThat(CommandRun.of(sweep.command("resume")).failedWith(ExitCode.INVALID))
        .contains("no unfinished study");
  }

  /** As if the lock had failed: a second process goes on while the first is within a step. */
  @Test
  void aRunThatWasStartedAgainElsewhere_isStoppedByTheStore() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(100);
    Interruption interruption = new Interruption();
    interruption.request();
    CommandRun.of(interruption, sweep.command("run")).failedWith(ExitCode.INTERRUPTED);
    AtomicReference<String> took = new AtomicReference<>("");
    try (StudyStore stale = Stores.openExisting(sweep.store());
        StudyStore other = Stores.openExisting(sweep.store());
        StoreView view = StoreView.of(sweep.store())) {
      Study study = Study.ofRecord(stale.studies().get(0));
      StudyListener overtaking =
          new StudyListener() {
            @Override
            public void step(String run, int done, int steps) {
              if (done == 50) {
                other.start(study.id(), 1);
                took.set(run);
              }
            }
          };
      StudyRunner runner =
          new StudyRunner(
              stale, study, new RunEnvironment(Engine.REFERENCE, overtaking, () -> false));
      Assertions.assertThatThrownBy(runner::run)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another process has changed this study");
      assertThat(took).hasValue("trial 1");
      // Its block is lost, and what it computed of it was not kept.
      assertThat(view.stepsBegun()).isEqualTo(52);
      assertThat(view.stepsLost()).isEqualTo(4);
      assertThat(view.charges()).containsExactly("trial 1");
    }
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of(sweep.command("resume")).succeeded();
    try (StoreView view = StoreView.of(sweep.store())) {
      assertThat(view.stepsLost()).isEqualTo(4);
      assertThat(view.charges())
          .isEqualTo(
              List.of("trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "final"));
    }
  }

  /** What a shell makes of it, which has to be one word. */
  private static String typed(String word) throws Exception {
    Process shell = new ProcessBuilder("sh", "-c", "printf '%s|' " + word).start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).endsWith("|").containsOnlyOnce("|");
    return said.substring(0, said.length() - 1);
  }
}
