package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Must-show 2 of the orchestrator: docs/operations.md has what a long one gave. */
class KilledWorkersTest {
  private static final String FORTY_TRIALS =
      "{strategy: scale-free, space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 2000},"
          + " sweeps: [{epsilon: 0.1, trials: 40}], score: {on: private, epsilon: 0.08}}";

  @TempDir Path folder;

  @Test
  @Timeout(600)
  @Thorough
  void twoWorkersThatAreKilledAgainAndAgain_finishTheStudyWithEachQuestionChargedOnce()
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(6).steps(300);
    try (MortalServer server = new MortalServer(folder);
        WorkersUnderFire fire = new WorkersUnderFire(sweep, server, new Random().nextLong())) {
      String study = fire.submit();
      fire.start(2);
      fire.fire(Duration.ofSeconds(Effort.of(5, 20)), Duration.ofSeconds(3));
      fire.requireWhole(study, Duration.ofMinutes(3));
    }
  }

  /** What Quartz has not told the database is no reason to stay. */
  @Test
  @Timeout(600)
  void aWorkerThatIsToldToEndWhileTheServerIsAway_ends() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(6).steps(2000);
    try (MortalServer server = new MortalServer(folder);
        WorkersUnderFire workers = new WorkersUnderFire(sweep, server, 0)) {
      String study = workers.submit();
      workers.start(1);
      try (StudyStore store = Stores.open(server.location(), sweep.runs())) {
        workers.until(() -> store.trial(study, 1).stepsBegun() > 0);
      }
      server.kill();
      workers.until(() -> workers.errors().contains("study " + study + ": "));
      CommandRun ended = workers.end();
      assertThat(ended.status()).as(ended.err()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  @Tag("experiment")
  @Timeout(1800)
  void fortyTrialsWithTwoWorkersThenFour_fiveMinutesOfKillsAndTheServerOnce() throws Exception {
    for (int workers : new int[] {2, 4}) {
      Path own = java.nio.file.Files.createDirectory(folder.resolve("workers" + workers));
      SmallSweep sweep = SmallSweep.in(own).search(FORTY_TRIALS);
      SmallSweep.writeRows(sweep.privateRows(), 2000, 20, 3);
      SmallSweep.writeRows(sweep.testRows(), 200, 20, 4);
      sweep.publicRows(2000);
      try (MortalServer server = new MortalServer(own);
          WorkersUnderFire fire = new WorkersUnderFire(sweep, server, new Random().nextLong())) {
        String study = fire.submit();
        fire.start(workers);
        fire.fire(Duration.ofSeconds(150), Duration.ofSeconds(4));
        server.kill();
        Thread.sleep(8000);
        server.restart();
        fire.fire(Duration.ofSeconds(150), Duration.ofSeconds(4));
        fire.requireWhole(study, Duration.ofMinutes(10));
        System.out.printf("WorkersUnderFire: %d workers, %d kills%n", workers, fire.kills());
      }
    }
  }
}
