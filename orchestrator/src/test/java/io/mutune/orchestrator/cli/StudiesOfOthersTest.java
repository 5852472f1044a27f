package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What commands make of a study that another process runs, here or on another machine. */
@Timeout(600)
class StudiesOfOthersTest {
  @TempDir Path folder;
  private SmallSweep sweep;

  @BeforeEach
  void sweep() throws Exception {
    sweep = SmallSweep.in(folder).trials(2).steps(20);
  }

  private String interruptedStudy(String... more) {
    Interruption interruption = new Interruption();
    interruption.request();
    CommandRun run = CommandRun.of(interruption, sweep.command("run", more));
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.INTERRUPTED);
    return newest(more).path("study").asString();
  }

  private ObjectNode newest(String... more) {
    String[] words = sweep.command("status", more);
    String[] asJson = java.util.Arrays.copyOf(words, words.length + 2);
    asJson[words.length] = "--format";
    asJson[words.length + 1] = "json";
    return Json.read(CommandRun.of(asJson).succeeded().out());
  }

  @Test
  void aStudyThatAnotherMachineRuns_isRunningAndNotInterrupted() {
    StoreLocation.Postgres server = PostgresServer.get().schema();
    String[] store = {"--store", server.toString()};
    String study = interruptedStudy(store);
    assertThat(newest(store).path("state").asString()).isEqualTo("interrupted");

    // Another machine's folder of results and locks is not this one's.
    Path elsewhere = folder.resolve("elsewhere");
    try (StudyStore other = Stores.open(server, elsewhere);
        StudyHold hold = other.hold(study)) {
      assertThat(hold).isNotNull();
      assertThat(newest(store).path("state").asString()).isEqualTo("running");
      assertThat(CommandRun.of(sweep.command("list", store)).succeeded().out())
          .contains(" running ");
      assertThat(
              CommandRun.of(sweep.command("resume", "--store", server.toString(), study))
                  .failedWith(ExitCode.STORAGE))
          .contains("is being run by another process, here or on another machine");
    }
    assertThat(newest(store).path("state").asString()).isEqualTo("interrupted");
    CommandRun.of(sweep.command("resume", store)).succeeded();
  }

  @Test
  void aStudyThatIsCancelledWhileItRuns_endsWithTheReasonAndNoFault() throws Exception {
    sweep.steps(100_000);
    CommandRun cancelled;
    try (MutuneProcess process = MutuneProcess.start(sweep.command("run"));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.stepsBegun() > 10);
      String study = newest().path("study").asString();
      assertThat(CommandRun.of(sweep.command("pause", study)).failedWith(ExitCode.INVALID))
          .contains("not by a worker: Ctrl-C");
      CommandRun.of(sweep.command("cancel", study, "--reason", "wrong rows")).succeeded();
      cancelled = process.end();
    }
    assertThat(cancelled.status()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(cancelled.err())
        .contains("was cancelled: wrong rows; what was charged stays charged")
        .doesNotContain("bug")
        .doesNotContain("resume");
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      assertThat(store.studies().get(0).state()).isEqualTo(StudyState.CANCELLED);
    }
    KilledStudyTest.audit(sweep);
  }

  /**
   * Its figures are in the folder of whoever ended it; that its plan holds is not what it spent.
   */
  @Test
  void aListWithAnotherFolder_hasNoFiguresOfAFinishedStudy() throws Exception {
    CommandRun.run(sweep.steps(3)).succeeded();
    CommandRun list =
        CommandRun.of(
            "list",
            "--store",
            sweep.store().toString(),
            "--output",
            folder.resolve("elsewhere").toString());
    assertThat(list.succeeded().out().lines())
        .last(InstanceOfAssertFactories.STRING)
        .matches(".* finished +- +\\S+Z +-");
  }

  @Test
  void aList_saysWhichStudiesHaveNoGuarantee() throws Exception {
    CommandRun.run(sweep.steps(3)).succeeded();
    CommandRun.run(sweep.seed(7)).succeeded();
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out().lines())
        .anyMatch(line -> line.matches(".* finished +\\S+% +2 .*"))
        .anyMatch(line -> line.contains("DOES NOT HOLD"));
    ObjectNode list =
        Json.read(CommandRun.of(sweep.command("list", "--format", "json")).succeeded().out());
    assertThat(list.path("studies").path(0).has("guarantee")).isFalse();
    assertThat(list.path("studies").path(1).path("guarantee").asString()).isEqualTo("void");
    assertThat(list.path("studies").path(1).path("why").asString()).contains("seed");
  }
}
