package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Studies whose runs are processes, while these and all others are killed with SIGKILL. Where the
 * kills fall is random and printed.
 */
class KilledTrainersTest {
  @TempDir Path folder;

  /** Mutune and its trainers are killed in turn; what was begun is spent, and nothing else. */
  @Test
  @Thorough
  @Timeout(600)
  void aStudyWhoseProcessesAreKilled_losesNoChargeAndEndsWhole() throws Exception {
    int kills = Effort.of(3, 50);
    int steps = Effort.of(300, 1000);
    SmallSweep sweep = SmallSweep.in(folder).steps(steps).train(StubTrainers.onAllRows("honest"));
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    System.out.println("KilledTrainersTest: seed " + seed);
    int part = 4 * steps / kills;
    for (int kill = 0; kill < kills; kill++) {
      long target = (long) part * kill + random.nextInt(part - 30);
      boolean trainer = kill % 2 == 0;
      try (MutuneProcess process =
              MutuneProcess.start(sweep.command(kill == 0 ? "run" : "resume"));
          StoreView store = process.store(sweep)) {
        process.until(() -> store.stepsBegun() > target);
        if (trainer) {
          while (process.running()) {
            StubTrainers.processes().forEach(ProcessHandle::destroyForcibly);
          }
          assertThat(process.errors()).contains("the trainer has ended before it was told to");
        } else {
          assertThat(process.kill()).as("was still running").isTrue();
        }
      }
      System.out.println("KilledTrainersTest: " + KilledStudyTest.landed(sweep));
      KilledStudyTest.audit(sweep);
    }
    Path study = CommandRun.of(sweep.command("resume")).succeeded().folder();
    assertThat(study.resolve("model.bin")).isNotEmptyFile();
    KilledStudyTest.audit(sweep);
    CommandRun.of(sweep.command("audit")).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      // A block of steps is a 32nd of a run; a kill loses at most one.
      assertThat(store.stepsLost()).isLessThanOrEqualTo((steps / 32 + 1L) * kills);
    }
    assertThat(StubTrainers.processes()).isEmpty();
  }

  /**
   * Studies of 20 trials at two workers on a database, of which trainers, workers and the database
   * are killed in turn. The trainers write down each step that they were let begin, with the
   * beginning of its noise.
   */
  @Test
  @Thorough
  @Timeout(3000)
  void studiesWhoseTrainersWorkersAndStoreAreKilled_chargeEachQuestionOnceAndNoteEachStep()
      throws Exception {
    int kills = Effort.of(5, 50);
    try (MortalServer server = new MortalServer(folder);
        StudiesUnderFire fire = new StudiesUnderFire(folder, server, new Random().nextLong())) {
      fire.start();
      for (int kill = 0; kill < kills; kill++) {
        fire.kill();
      }
      fire.requireAllWhole();
    }
    assertThat(StubTrainers.processes()).isEmpty();
  }
}
