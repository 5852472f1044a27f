package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.TranscriptNoise.Answer;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.UniformStream;
import io.mutune.trainer.score.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PateTest {
  private static final PrivateRows ROWS = BinaryProblem.privateRows((int) ClassicMethods.ROWS);
  private static final int P = BinaryProblem.FEATURES;

  /** √(20/9 + 2·10/4), worked by hand. */
  @Test
  void theCharge_isAGaussianOfTheSameMuWhateverTheVotesAre() {
    Gaussian charged = (Gaussian) ClassicMethods.pate().mechanism();
    assertThat(charged.sensitivity()).isCloseTo(Math.sqrt(20 / 9.0 + 5), within(1e-12));
    assertThat(charged.sigma()).isEqualTo(NoiseMultiplier.of(1));
    assertThat(charged.count()).isEqualTo(1);
  }

  @Test
  void aReplacedRow_movesOneVoteOfEachQuestion() {
    Training method = ClassicMethods.pate();
    TranscriptNoise noise = transcript(method, ROWS, Optional.empty());
    PrivateRows other = BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(1e6f), 0);
    TranscriptNoise ofOther = transcript(method, other, Optional.of(noise));
    double spent = 0;
    for (int i = 0; i < noise.answers().size(); i++) {
      Answer one = noise.answers().get(i);
      double apart = MathArrays.distance(one.exact(), ofOther.answers().get(i).exact());
      assertThat(apart).isLessThanOrEqualTo(one.exact().length == 1 ? 1 : Math.sqrt(2));
      double worst = one.exact().length == 1 ? 1 : Math.sqrt(2);
      spent += worst * worst / (one.deviation() * one.deviation());
    }
    assertThat(Math.sqrt(spent)).isLessThanOrEqualTo(((Gaussian) method.mechanism()).sensitivity());
  }

  /**
   * A row more after all others: the coins of the others are the same, so at most one teacher is
   * another.
   */
  @Test
  void anAddedRow_changesOneTeacher() {
    Training method = ClassicMethods.pate();
    PrivateRows more = BinaryProblem.changed(ROWS, false, BinaryProblem.longRow(1e6f), 0);
    TranscriptNoise noise = transcript(method, ROWS, Optional.empty());
    TranscriptNoise ofOther = transcript(method, more, Optional.of(noise));
    assertThat(ofOther.answers()).hasSameSizeAs(noise.answers());
    for (int i = 0; i < noise.answers().size(); i++) {
      Answer one = noise.answers().get(i);
      assertThat(MathArrays.distance(one.exact(), ofOther.answers().get(i).exact()))
          .isLessThanOrEqualTo(one.exact().length == 1 ? 1 : Math.sqrt(2));
    }
  }

  /** Where sums of one may round must not follow from the rows of others. */
  @Test
  void aTeachersRows_areInBlocksOfTheirOwn() {
    RowBlocks.Block all = ROWS.blocks().blocks().get(0);
    List<RowBlocks.Block> small = new ArrayList<>();
    for (int from = 0; from < all.rows(); from += 50) {
      int to = Math.min(all.rows(), from + 50);
      small.add(
          new RowBlocks.Block(
              Arrays.copyOfRange(all.features(), from * P, to * P),
              Arrays.copyOfRange(all.labels(), from, to)));
    }
    List<Integer> blocks = new ArrayList<>();
    ClippedSums engine =
        (rows, loss, classes, clip) -> {
          blocks.add(rows.blocks().blocks().size());
          return Engine.REFERENCE.open(rows, loss, classes, clip);
        };
    Training method = ClassicMethods.pate();
    method.train(
        BinaryProblem.charged(method),
        new PrivateRows(new RowBlocks(P, small)),
        TrainingAttempt.fresh(engine, new SeededNoise(6), Fixture.STREAMS, new RecordingJournal()));
    assertThat(blocks).hasSizeGreaterThanOrEqualTo(12).containsOnly(1);
  }

  private static TranscriptNoise transcript(
      Training method, PrivateRows rows, Optional<TranscriptNoise> first) {
    TranscriptNoise noise =
        first
            .map(script -> TranscriptNoise.following(script, new SeededNoise(6)))
            .orElseGet(() -> TranscriptNoise.of(new SeededNoise(6)));
    method.train(
        BinaryProblem.charged(method), rows, BinaryProblem.run(noise, new RecordingJournal()));
    return noise;
  }

  /** The votes that the first question's noise was added to, from teachers trained here. */
  @Test
  void teachers_areTrainedOnTheRowsThatTheirCoinsGaveThem() {
    TranscriptNoise noise = transcript(ClassicMethods.pate(), ROWS, Optional.empty());
    UniformStream coins = new SeededNoise(6).bits(Fixture.STREAMS.step(1, Purpose.SAMPLE));
    RowBlocks.Block all = BoundedRows.of(ROWS).blocks().blocks().get(0);
    List<List<Integer>> parts = new ArrayList<>();
    for (int teacher = 0; teacher < 12; teacher++) {
      parts.add(new ArrayList<>());
    }
    for (int i = 0; i < all.rows(); i++) {
      parts.get((int) coins.below(12)).add(i);
    }
    RowBlocks.Block shown =
        BoundedRows.of(BinaryProblem.publicRows(ClassicMethods.SHOWN)).blocks().blocks().get(0);
    int positive = 0;
    RowGradient row = new RowGradient(ClassicMethods.LOGISTIC, 2);
    double[] one = new double[P];
    for (List<Integer> part : parts) {
      double[] w = new double[P];
      for (int step = 0; step < 5000; step++) {
        double[] g = new double[P];
        for (int i : part) {
          row.compute(all.features(), i * P, all.labels()[i], w, one);
          for (int j = 0; j < P; j++) {
            g[j] += one[j];
          }
        }
        for (int j = 0; j < P; j++) {
          w[j] -= (g[j] + 0.25 * w[j]) / 20;
        }
      }
      double z = 0;
      for (int j = 0; j < P; j++) {
        z += shown.features()[j] * w[j];
      }
      positive += z > 0 ? 1 : 0;
    }
    assertThat(noise.answers().get(0).exact()).containsExactly(Math.max(positive, 12 - positive));
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void withEnoughTeachersAndLittleNoise_theStudentLearns(Engine engine) throws Exception {
    PrivateRows rows = BinaryProblem.privateRows(4000);
    Training method =
        new Pate(25, 15, 1, 200, 200, 1e-3)
            .training(
                ClassicMethods.problem(ClassicMethods.LOGISTIC, Adjacency.ADD_REMOVE).ofRows(4000),
                NoiseMultiplier.of(2),
                NoiseMultiplier.of(2),
                Fixture.shown(BinaryProblem.publicRows(200)));
    TrainingAttempt run = Fixture.seeded(engine, new RecordingJournal());
    var model = method.train(BinaryProblem.charged(method), rows, run);
    // One label in ten is wrong, so 0.9 is the best that can be had.
    assertThat(
            Metric.ACCURACY.of(
                model.linear(),
                ClassicMethods.LOGISTIC,
                new PublicRows(BinaryProblem.rows(5, 2000))))
        .isGreaterThan(0.85);
  }

  /** Ten answers are paid for; ten lost questions use them all up. */
  @Test
  void questionsLostInACrash_countAsAnswered() {
    Training method = ClassicMethods.pate();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(1));
    TrainingAttempt run =
        Fixture.resumed(BinaryProblem.run(noise, new RecordingJournal()), Optional.empty(), 20);
    assertThat(method.train(BinaryProblem.charged(method), ROWS, run).weights()).containsOnly(0.0);
    assertThat(noise.answers()).isEmpty();
  }

  /** Nothing was released while the teachers were trained, so no question is lost either. */
  @Test
  void whoeverStopsItWhileTeachersAreTrained_losesNoQuestion() {
    Training method = ClassicMethods.pate();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(1));
    RecordingJournal journal = new RecordingJournal();
    int[] looks = {0};
    TrainingAttempt run =
        BinaryProblem.run(noise, journal).watched(() -> ++looks[0] > 3, step -> {});

    assertThatThrownBy(() -> method.train(BinaryProblem.charged(method), ROWS, run))
        .isInstanceOf(TrainingCancelled.class);

    assertThat(noise.answers()).isEmpty();
    assertThat(journal.entries()).endsWith("checkpoint 0");
    TranscriptNoise ofResumed = TranscriptNoise.of(new SeededNoise(2));
    TrainingAttempt resumed = journal.resumed(BinaryProblem.run(ofResumed, journal));
    method.train(BinaryProblem.charged(method), ROWS, resumed);
    assertThat(ofResumed.answers()).hasSizeGreaterThan(10);
    assertThat(resumed.stepsBegun()).isZero();
  }

  @Test
  void allTeachers_areKeptUntilTheLastAnswer() {
    Pate method = new Pate(12, 8, 1.5, 10, 20, 0.01);
    assertThat(method.bytesKept(P)).isEqualTo(12 * (8.0 * P + 64));
  }
}
