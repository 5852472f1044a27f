package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/external-trainers.md says of the time that trainers of a process each take. */
@Tag("experiment")
@Timeout(1800)
class TrainersAtOnceTest {
  private static final int TRIALS = 20;
  private static final int STEPS = 1000;

  @TempDir Path folder;

  /**
   * By the difference of two runs, so that it has neither's start in it; each the fastest of three,
   * since other load only adds.
   */
  @Test
  void aStep_takesLessThanFiveMilliseconds() throws Exception {
    double few = Double.POSITIVE_INFINITY;
    double many = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 3; i++) {
      few = Math.min(few, seconds(200, "few" + i));
      many = Math.min(many, seconds(3000, "many" + i));
    }
    double perStep = (many - few) * 1000 / (3000 - 200);
    System.out.printf("TrainersAtOnceTest: %.2f ms a step%n", perStep);
    assertThat(perStep).isLessThan(5);
  }

  private double seconds(int steps, String name) throws Exception {
    SmallSweep sweep =
        SmallSweep.in(Files.createDirectory(folder.resolve(name)))
            .trials(0)
            .steps(steps)
            .train(StubTrainers.onAllRows("honest"));
    long from = System.nanoTime();
    CommandRun.run(sweep).succeeded();
    return (System.nanoTime() - from) / 1e9;
  }

  /** Ten threads each: all trainers of the study run side by side. */
  @Test
  void twentyTrials_runAtOnceOnTwoWorkers() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .trainers("mine", StubTrainers.command("honest"))
            .search(
                "{strategy: scale-free, space: {logitNoise: {min: 0.1, max: 10}, steps: %d}, sweeps:"
                        .formatted(STEPS)
                    + " [{epsilon: 0.1, trials: %d}], score: {on: private, epsilon: 0.08}}"
                        .formatted(TRIALS))
            .train(
                "{method: external, trainer: mine, descends: true, mechanism: {type: gaussian,"
                    + " clipNorm: 0.5}}");
    try (MortalServer server = new MortalServer(folder);
        StudyStore store = Stores.open(server.location(), sweep.runs())) {
      String location = server.location().toString();
      CommandRun.of(sweep.command("submit", "--store", location)).succeeded();
      String study = store.studies().get(0).id();
      String[] words = sweep.command("worker", "--store", location, "--threads", "10");
      int most = 0;
      long first = 0;
      long last = 0;
      try (MutuneProcess one = MutuneProcess.start(words);
          MutuneProcess other = MutuneProcess.start(words)) {
        StudyState state = StudyState.PLANNED;
        while (state != StudyState.FINISHED) {
          most = Math.max(most, StubTrainers.processes().size());
          state = store.study(study).orElseThrow().state();
          assertThat(state).isIn(StudyState.PLANNED, StudyState.RUNNING, StudyState.FINISHED);
          first = first == 0 && begun(store, study) > 0 ? System.nanoTime() : first;
          last = last == 0 && trained(store, study) == TRIALS ? System.nanoTime() : last;
          Thread.sleep(100);
        }
        assertThat(one.running()).isTrue();
        assertThat(other.running()).isTrue();
      }
      double seconds = (last - first) / 1e9;
      System.out.printf(
          "TrainersAtOnceTest: %d trials of %d steps in %.1f s, %d trainers at once, %.2f ms a step"
              + " of any%n",
          TRIALS, STEPS, seconds, most, seconds * 1000 / (TRIALS * STEPS));
      assertThat(most).isEqualTo(TRIALS);
      CommandRun.of(sweep.command("audit", study, "--store", location)).succeeded();
    }
  }

  private static long begun(StudyStore store, String study) {
    long begun = 0;
    for (int number = 1; number <= TRIALS; number++) {
      begun += store.trial(study, number).stepsBegun();
    }
    return begun;
  }

  private static int trained(StudyStore store, String study) {
    int trained = 0;
    for (int number = 1; number <= TRIALS; number++) {
      trained += store.trial(study, number).state().isTrained() ? 1 : 0;
    }
    return trained;
  }
}
