package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResumedTrainingTest {
  private static final int STEPS = 96;
  private static final Training METHOD = Fixture.noisyGd(STEPS, 5, 1, 300);
  private static final PrivateRows ROWS = new PrivateRows(Fixture.easyRows(300, 5));

  private final RecordingJournal journal = new RecordingJournal();

  @Test
  void steps_areBegunBeforeTheyAreTakenAndCheckpointedAfter() {
    List<String> entries = journal.entries();
    train(Fixture.seeded(Engine.REFERENCE, journal).watched(() -> false, s -> entries.add("" + s)));
    assertThat(entries)
        .hasSize(32 * 5)
        .startsWith("begin 1-3", "1", "2", "3", "checkpoint 3", "begin 4-6", "4")
        .endsWith("begin 94-96", "94", "95", "96", "checkpoint 96");
  }

  @Test
  void cancelling_stopsWithinAStepAndCheckpointsTheStepsDone() {
    cancelAfter(4);
    assertThat(journal.entries()).endsWith("begin 4-6", "checkpoint 4");
  }

  @Test
  void aCancelledRunThatIsResumed_endsAsIfItHadNotBeenStopped() {
    cancelAfter(50);
    assertThat(train(journal.resumed(Fixture.seeded(Engine.REFERENCE, journal))))
        .isEqualTo(train(Fixture.seeded()));
  }

  @Test
  void stepsLostInACrash_areSkippedAndNeverAskedAgain() {
    crashAfter(50);
    List<Integer> asked = new ArrayList<>();
    train(
        journal
            .resumed(Fixture.seeded(Engine.REFERENCE, journal))
            .watched(() -> false, asked::add));
    assertThat(asked).hasSize(STEPS - 51).startsWith(52).endsWith(STEPS);
  }

  /** Steps 49 to 51 were begun, 49 and 50 taken: all three are gone, whatever was learned. */
  @Test
  void acrossACrash_noMoreSumsAreAskedThanAreCharged() {
    AtomicInteger sums = new AtomicInteger();
    ClippedSums counting =
        (rows, loss, classes, clip) -> {
          var inner = Engine.REFERENCE.open(rows, loss, classes, clip);
          return new CountingSum(inner, sums);
        };
    TrainingAttempt run = Fixture.seeded(counting, journal);
    assertThatThrownBy(() -> train(crashing(run, 50))).hasMessage("power cut");
    train(journal.resumed(Fixture.seeded(counting, journal)));
    assertThat(sums).hasValue(STEPS - 1);
  }

  @Test
  void aRunWhoseLastStepsWereLost_stillGivesAModelAndReadsNothing() {
    crashAfter(STEPS);
    ClippedSums unopened =
        (rows, loss, classes, clip) -> {
          throw new AssertionError("opened");
        };
    assertThat(train(journal.resumed(Fixture.seeded(unopened, journal)))).hasSize(15);
  }

  @Test
  void checkpointsThatDoNotFit_areRefused() {
    TrainingAttempt run = Fixture.seeded();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                train(
                    Fixture.resumed(
                        run, Optional.of(new Iterate(0, new double[14], new double[14])), 0)))
        .withMessage("a checkpoint of 14 weights does not fit a run of 15");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> train(Fixture.resumed(run, Optional.empty(), STEPS + 1)));
    Iterate later = new Iterate(9, new double[15], new double[15]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fixture.resumed(run, Optional.of(later), 8));
  }

  private static double[] train(TrainingAttempt run) {
    return METHOD.train(Fixture.charged(METHOD), ROWS, run).weights();
  }

  private void cancelAfter(int steps) {
    AtomicInteger done = new AtomicInteger();
    TrainingAttempt run =
        Fixture.seeded(Engine.REFERENCE, journal)
            .watched(() -> done.get() == steps, step -> done.set(step));
    assertThatThrownBy(() -> train(run))
        .isInstanceOf(TrainingCancelled.class)
        .hasMessage("training was cancelled after %d of 96 steps".formatted(steps));
  }

  private void crashAfter(int steps) {
    assertThatThrownBy(() -> train(crashing(Fixture.seeded(Engine.REFERENCE, journal), steps)))
        .hasMessage("power cut");
  }

  private static TrainingAttempt crashing(TrainingAttempt run, int steps) {
    return run.watched(
        () -> false,
        step -> {
          if (step == steps) {
            throw new IllegalStateException("power cut");
          }
        });
  }

  private record CountingSum(ClippedSum inner, AtomicInteger sums) implements ClippedSum {
    @Override
    public void compute(double[] weights, double[] sum) {
      sums.incrementAndGet();
      inner.compute(weights, sum);
    }

    @Override
    public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
      sums.incrementAndGet();
      inner.compute(weights, clip, sample, sum);
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
