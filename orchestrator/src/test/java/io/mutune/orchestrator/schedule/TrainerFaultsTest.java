package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.testing.Effort;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Training fails at a random moment, in a random way, again and again: after each time the audit
 * agrees, and no charge or step that was there is gone.
 */
@Timeout(600)
class TrainerFaultsTest {
  private static final int FAULTS = Effort.of(100, 500);

  @TempDir Path folder;

  /** Fails when it has heard so much. */
  private static final class Failing implements StudyListener {
    private final Random random;
    private int left;
    private boolean failed;

    Failing(Random random) {
      this.random = random;
      this.left = 1 + random.nextInt(12);
    }

    @Override
    public void charged(String what, Spending spending) {
      failSometime();
    }

    @Override
    public void step(String run, int done, int steps) {
      failSometime();
    }

    boolean failSometime() {
      left--;
      if (left == 0) {
        failed = true;
        switch (random.nextInt(4)) {
          case 0 -> throw new IllegalArgumentException("a fault of the test");
          case 1 -> throw new UncheckedIOException(new IOException("a fault of the test"));
          case 2 -> throw new OutOfMemoryError("a fault of the test");
          default -> throw new ArithmeticException("a fault of the test");
        }
      }
      return false;
    }
  }

  @Test
  void faultsInAnyPlace_loseNoChargeAndNoStep() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("TrainerFaultsTest: seed " + seed);
    Random random = new Random(seed);
    SmallStudies studies = SmallStudies.in(folder);
    int faults = 0;
    int ended = 0;
    try (StudyStore store = Stores.open(folder.resolve("mutune.db"))) {
      StudyQueue queue = new StudyQueue(store, folder);
      Study study = null;
      while (faults < FAULTS) {
        if (study == null) {
          study =
              Study.ofRecord(
                  queue.submit(SmallStudies.in(store, studies.submission("faulty", 2, 5))));
          store.move(study.id(), StudyState.RUNNING);
        }
        List<Long> charged = charged(store, study);
        int begun = begun(store, study);
        Failing failing = new Failing(random);
        boolean done = false;
        try {
          new StudyRunner(
                  store,
                  study,
                  new RunEnvironment(Engine.REFERENCE, failing, failing::failSometime))
              .run();
          done = true;
        } catch (RuntimeException | IOException | Error e) {
          assertThat(failing.failed).as("seed %d: %s", seed, e).isTrue();
          faults++;
        }
        assertThat(StudyAudit.of(store, study, Optional.empty()).problems())
            .as("seed %d, fault %d", seed, faults)
            .isEmpty();
        assertThat(charged(store, study).subList(0, charged.size())).isEqualTo(charged);
        assertThat(begun(store, study)).isGreaterThanOrEqualTo(begun);
        if (done) {
          store.move(study.id(), StudyState.FINISHED);
          study = null;
          ended++;
        }
      }
    }
    assertThat(ended).as("studies that ended in spite of them").isPositive();
    System.out.printf("TrainerFaultsTest: %d faults, %d studies ended%n", faults, ended);
  }

  private static List<Long> charged(StudyStore store, Study study) {
    return store.charges(study.id()).stream().map(StoredCharge::sequence).toList();
  }

  private static int begun(StudyStore store, Study study) {
    int begun = 0;
    for (int number = RunRecord.FINAL; number <= 2; number++) {
      begun += store.trial(study.id(), number).stepsBegun();
    }
    return begun;
  }
}
