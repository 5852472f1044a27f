package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.Lockstep;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LockstepTest {
  private static final PrivateRows ROWS = new PrivateRows(Fixture.easyRows(1500, 10));
  private static final int TRIALS = 4;

  /** Trials that differ in everything that a trial has of its own. */
  private static Training trial(int trial) {
    return new NoisyGd(ClipNorm.of(0.5 + trial), 0.3 * trial, trial % 2 == 0)
        .training(
            Fixture.problem(Adjacency.ADD_REMOVE, 1500),
            Fixture.run(0.5 + trial, new int[] {7, 40, 1, 23}[trial], 2 + trial),
            PublicInputs.NONE);
  }

  private static TrainingAttempt run(int trial, ClippedSums engine) {
    return TrainingAttempt.fresh(
        engine, new SeededNoise(11), new AttemptStreams("study", trial, 1), new RecordingJournal());
  }

  private static double[] train(int trial, TrainingAttempt run) {
    Training method = trial(trial);
    return method.train(Fixture.charged(method), ROWS, run).weights();
  }

  private static List<Future<double[]>> together(ClippedSums engine, int cancelledAtOnce)
      throws InterruptedException {
    Lockstep lockstep = new Lockstep(engine, TRIALS);
    ExecutorService threads = Executors.newFixedThreadPool(TRIALS);
    try {
      List<Future<double[]>> models = new ArrayList<>();
      for (int t = 0; t < TRIALS; t++) {
        int trial = t;
        models.add(
            threads.submit(
                () -> {
                  try (Lockstep.Member member = lockstep.member(trial)) {
                    TrainingAttempt run = run(trial, member);
                    return train(trial, run.watched(() -> trial == cancelledAtOnce, step -> {}));
                  }
                }));
      }
      for (Future<double[]> model : models) {
        try {
          model.get();
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(RuntimeException.class);
        }
      }
      return models;
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void trialsInLockstep_endAsTheyWouldAlone_bitForBit(Engine engine) throws Exception {
    ClippedSums sums = engine.sums(RowOrders.seeded(1));
    List<Future<double[]>> models = together(sums, -1);
    for (int t = 0; t < TRIALS; t++) {
      assertThat(models.get(t).get()).isEqualTo(train(t, run(t, sums)));
    }
  }

  @Test
  void aTrialThatIsCancelled_leavesTheOthersAsTheyWere() throws Exception {
    List<Future<double[]>> models = together(Engine.REFERENCE, 1);
    assertThatThrownBy(() -> models.get(1).get()).hasCauseInstanceOf(TrainingCancelled.class);
    for (int t : new int[] {0, 2, 3}) {
      assertThat(models.get(t).get()).isEqualTo(train(t, run(t, Engine.REFERENCE)));
    }
  }

  @Test
  void aSumThatFails_failsForEveryTrial_andNobodyWaits() throws Exception {
    ClippedSums failing =
        (rows, loss, classes, clip) -> {
          throw new IllegalStateException("no memory");
        };
    for (Future<double[]> model : together(failing, -1)) {
      assertThatThrownBy(model::get).hasRootCauseMessage("no memory");
    }
  }

  /** A machine or a disk that fails is no mistake of the program's, and is told apart from one. */
  @Test
  void aSumWhoseMachinesFail_failsForEveryTrialAsThat() throws Exception {
    ClippedSums failing =
        (rows, loss, classes, clip) -> {
          throw new UncheckedIOException(new IOException("no machine"));
        };
    for (Future<double[]> model : together(failing, -1)) {
      assertThatThrownBy(model::get)
          .hasCauseInstanceOf(UncheckedIOException.class)
          .hasRootCauseMessage("no machine");
    }
  }

  /** One trial over other rows, and one that opens a second sum while its first is shared. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void aSumThatDoesNotSuitTheOthers_isComputedAlone_andNobodyWaitsForIt(Engine engine) {
    ClippedSums sums = engine.sums(RowOrders.seeded(1));
    PrivateRows others = new PrivateRows(Fixture.easyRows(700, 10));
    Lockstep lockstep = new Lockstep(sums, 2);
    try (Lockstep.Member first = lockstep.member(0);
        Lockstep.Member second = lockstep.member(1);
        ClippedSum shared = open(first, ROWS)) {
      try (ClippedSum apart = open(second, others);
          ClippedSum again = open(second, ROWS);
          ClippedSum beside = open(first, others)) {
        assertThat(at(apart)).isEqualTo(at(open(sums, others)));
        assertThat(at(again)).isEqualTo(at(open(sums, ROWS)));
        assertThat(at(beside)).isEqualTo(at(open(sums, others)));
      }
      // The second has not left by itself: it never was in.
      assertThat(at(shared)).isEqualTo(at(open(sums, ROWS)));
    }
  }

  @Test
  void aSumThatIsClosed_isNotAsked() {
    ClippedSum sum = open(new Lockstep(Engine.REFERENCE, 1).member(0), ROWS);
    sum.close();
    assertThatIllegalStateException().isThrownBy(() -> at(sum));
  }

  private static ClippedSum open(ClippedSums engine, PrivateRows rows) {
    return engine.open(rows, new SoftmaxLoss(), Fixture.CLASSES, ClipNorm.of(1));
  }

  private static double[] at(ClippedSum sum) {
    double[] result = new double[10 * Fixture.CLASSES];
    sum.compute(new double[result.length], result);
    return result;
  }
}
