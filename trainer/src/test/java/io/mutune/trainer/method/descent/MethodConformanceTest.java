package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.SilentNoise;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.TranscriptNoise.Answer;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.util.MathArrays;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link Training} promises, of every method in {@link MethodCases}. */
class MethodConformanceTest {
  private static final int STEPS = 40;
  private static final int ROWS = 60;
  private static final long SEED = 21;

  /** Stands for a secret: no text may hold these digits. */
  private static final float MARKED = 7654.321f;

  private static final ClippedSums UNOPENED =
      (rows, loss, classes, clip) -> {
        throw new AssertionError("private rows were read");
      };

  static List<MethodCase> methods() {
    return MethodCases.all();
  }

  static Stream<Arguments> methodsAndNeighbours() {
    return methods().stream()
        .flatMap(method -> Arrays.stream(Adjacency.values()).map(a -> Arguments.of(method, a)));
  }

  /**
   * Rows that an adversary would take: large ones push the sum by all of C, others try to break it.
   */
  private static List<Row> adversarialRows() {
    float[] large = new float[MethodCase.FEATURES];
    Arrays.fill(large, 1e6f);
    float[] opposite = new float[MethodCase.FEATURES];
    Arrays.fill(opposite, -1e6f);
    float[] unit = new float[MethodCase.FEATURES];
    unit[0] = 1;
    float[] notANumber = new float[MethodCase.FEATURES];
    notANumber[2] = Float.NaN;
    float[] infinite = new float[MethodCase.FEATURES];
    infinite[1] = Float.POSITIVE_INFINITY;
    return List.of(
        new Row(large, 0),
        new Row(opposite, 0),
        new Row(large, 2),
        new Row(unit, 1),
        new Row(notANumber, 0),
        new Row(infinite, 1),
        new Row(large, Fixture.CLASSES),
        new Row(large, -1));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(float[] features, int label) {}

  @ParameterizedTest
  @MethodSource("methodsAndNeighbours")
  void everyAnswer_isCharged(MethodCase tested, Adjacency adjacency) {
    Training method = tested.method(adjacency, STEPS);
    TranscriptNoise noise = trained(method, rows(List.of()), new SeededNoise(SEED));
    assertThat(noise.answers()).hasSize(STEPS);
    assertThat(method.steps()).isEqualTo(STEPS);
    assertThat(perAnswer(method.mechanism()).count()).isEqualTo(STEPS);
    assertThat(noise.answers()).allMatch(a -> a.exact().length == tested.noiseDimensions());
    assertThat(method.mechanism() instanceof SubsampledGaussian).isEqualTo(tested.sampled());
    assertThat(noise.samples()).hasSize(tested.sampled() ? STEPS : 0);
  }

  /** Where all rows of a person are one unit, a method clips their sum or refuses. */
  @ParameterizedTest
  @MethodSource("methods")
  void aPersonOfManyLargeRows_movesAnAnswerByNoMoreThanIsCharged_orIsRefused(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, 1);
    float[][] large = new float[20][MethodCase.FEATURES];
    for (float[] row : large) {
      Arrays.fill(row, 1e3f);
    }
    RowUnits person = RowUnits.of(new int[large.length]);
    PrivateRows rows =
        new PrivateRows(TestRows.blocks(large, new int[large.length]).withUnits(person));
    if (tested.name().equals("DpZo")) {
      assertThatThrownBy(() -> trained(method, rows, new SeededNoise(SEED)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("people of several rows");
      return;
    }
    for (Answer answer : trained(method, rows, new SeededNoise(SEED)).answers()) {
      double reach = answer.deviation() / MethodCases.SIGMA;
      assertThat(MathArrays.distance(answer.exact(), new double[answer.exact().length]))
          .isLessThanOrEqualTo(reach);
    }
  }

  /**
   * What was added to all answers, in units of the deviation that was asked for, is χ². Fails by
   * chance 2e-10 of the time.
   */
  @ParameterizedTest
  @MethodSource("methods")
  void theNoiseOfEveryAnswer_hasItsDeviation(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, 400);
    double squares = 0;
    int count = 0;
    for (Answer answer : trained(method, rows(List.of()), new SecureNoise()).answers()) {
      assertThat(answer.deviation()).isPositive();
      for (int i = 0; i < answer.exact().length; i++) {
        double z = (answer.released()[i] - answer.exact()[i]) / answer.deviation();
        squares += z * z;
        count++;
      }
    }
    assertChiSquared(squares, count);
  }

  /**
   * The same without looking inside: over many runs of one step, what the noise does to the model
   * has the deviation that follows from the charge. Fails by chance 2e-10 of the time.
   */
  @ParameterizedTest
  @MethodSource("methodsAndNeighbours")
  void theNoiseThatIsCharged_isInTheModel(MethodCase tested, Adjacency adjacency) {
    assumeThat(tested.oneStepDeviation()).isPresent();
    Training method = tested.method(adjacency, 1);
    PrivateRows rows = Fixture.zeroRows(ROWS, MethodCase.FEATURES);
    double[] quiet = model(method, rows, new SilentNoise(SEED));
    double squares = 0;
    int runs = 2000;
    for (int i = 0; i < runs; i++) {
      double[] noisy = model(method, rows, new SecureNoise());
      double distance = MathArrays.distance(noisy, quiet) / tested.oneStepDeviation().getAsDouble();
      squares += distance * distance;
    }
    assertChiSquared(squares, runs * tested.noiseDimensions());
  }

  /**
   * The second run asks at the first one's weights, so each pair of answers before noise may differ
   * by the sensitivity, in units of the noise, and by nothing else.
   */
  @ParameterizedTest
  @MethodSource("methodsAndNeighbours")
  void neighbours_differByTheChargedSensitivityAndInNothingElse(
      MethodCase tested, Adjacency adjacency) {
    Training method = tested.method(adjacency, STEPS);
    Gaussian charged = perAnswer(method.mechanism());
    double allowed = charged.sensitivity() / charged.sigma().value();
    double greatest = 0;
    for (Row one : adversarialRows()) {
      List<Row> others = adjacency == Adjacency.ADD_REMOVE ? List.of() : adversarialRows();
      for (List<Row> other : neighboursOf(one, others)) {
        RecordingJournal journal = new RecordingJournal();
        RecordingJournal journalOfOther = new RecordingJournal();
        TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(SEED));
        train(method, rows(List.of(one)), run(noise, journal));
        TranscriptNoise ofOther = following(noise);
        train(method, rows(other), run(ofOther, journalOfOther));
        greatest = Math.max(greatest, greatestDifference(noise, ofOther));
        assertThat(journalOfOther.entries()).isEqualTo(journal.entries());
      }
    }
    assertThat(greatest).isLessThanOrEqualTo(allowed);
    // Large rows reach the bound, less the margin of the clip norm, where nothing is projected out.
    // Two saturated softmax rows are never quite opposite, so replacing one reaches less.
    double whole = adjacency == Adjacency.ADD_REMOVE ? 0.95 : 0.8;
    double reached = tested.noiseDimensions() == MethodCase.ALL_WEIGHTS ? whole : 0.1;
    assertThat(greatest).isGreaterThan(reached * allowed);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void everyStream_isDrawnFromOnce(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    TranscriptNoise noise = trained(method, rows(List.of()), new SeededNoise(SEED));
    List<StreamId> ids = new ArrayList<>(noise.samples());
    noise.answers().forEach(answer -> ids.add(answer.id()));
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(noise.answers().stream().map(answer -> answer.id().step()))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, STEPS).boxed().toList());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void seededRuns_repeatBitForBitOnEveryEngine(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    for (Engine engine : Engine.values()) {
      double[] once = seeded(method, engine);
      assertThat(seeded(method, engine)).isEqualTo(once);
      assertThat(once).doesNotContain(0.0).doesNotContain(Double.NaN);
    }
  }

  private static double[] seeded(Training method, Engine engine) {
    TrainingAttempt run =
        Fixture.seeded(engine.sums(RowOrders.seeded(SEED)), new RecordingJournal());
    return method.train(charged(method), rows(List.of()), run).weights();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void rowsThatAreNoNumbersOrHaveNoClass_changeNothing(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    List<Row> broken = adversarialRows().subList(4, 8);
    assertThat(model(method, rows(broken), new SeededNoise(SEED)))
        .isEqualTo(model(method, rows(List.of()), new SeededNoise(SEED)));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void anotherCharge_isRefusedBeforeARowIsRead(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    Gaussian right = perAnswer(method.mechanism());
    RecordingJournal journal = new RecordingJournal();
    for (Mechanism wrong : wrongCharges(method.mechanism(), right)) {
      TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(SEED));
      ReservedCharge proof = () -> new Charge("trial 1", wrong);
      TrainingAttempt run = TrainingAttempt.fresh(UNOPENED, noise, Fixture.STREAMS, journal);
      assertThatIllegalStateException()
          .isThrownBy(() -> method.train(proof, rows(List.of()), run))
          .withMessageContaining("'trial 1' is charged as");
      assertThat(noise.answers()).isEmpty();
    }
    assertThat(journal.entries()).isEmpty();
  }

  private static List<Mechanism> wrongCharges(Mechanism mechanism, Gaussian right) {
    NoiseMultiplier less = NoiseMultiplier.of(Math.nextUp(right.sigma().value()));
    List<Mechanism> wrong = new ArrayList<>();
    wrong.add(new Gaussian(right.sigma(), right.sensitivity(), right.count() - 1));
    wrong.add(new Gaussian(less, right.sensitivity(), right.count()));
    if (mechanism instanceof SubsampledGaussian sampled) {
      wrong.add(right);
      wrong.add(
          new SubsampledGaussian(
              sampled.sigma(),
              Math.nextDown(sampled.samplingRate()),
              sampled.sensitivity(),
              sampled.count()));
    }
    return wrong;
  }

  @ParameterizedTest
  @MethodSource("methods")
  void cancelling_stopsWithinAStepAndKeepsTheStepsDone(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(SEED));
    TrainingAttempt run =
        run(noise, journal).watched(() -> noise.answers().size() == 7, step -> {});
    assertThatThrownBy(() -> train(method, rows(List.of()), run))
        .isInstanceOf(TrainingCancelled.class);
    assertThat(noise.answers()).hasSize(7);
    assertThat(journal.entries()).endsWith("checkpoint 7");
    TrainingAttempt rest = journal.resumed(run(new SeededNoise(SEED), journal));
    assertThat(train(method, rows(List.of()), rest))
        .isEqualTo(model(method, rows(List.of()), new SeededNoise(SEED)));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void acrossACrash_noStepIsAskedTwice(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise first = TranscriptNoise.of(new SecureNoise());
    TrainingAttempt crashing =
        run(first, journal)
            .watched(
                () -> false,
                step -> {
                  if (step == 17) {
                    throw new IllegalStateException("power cut");
                  }
                });
    assertThatThrownBy(() -> train(method, rows(List.of()), crashing)).hasMessage("power cut");
    TranscriptNoise second = TranscriptNoise.of(new SecureNoise());
    train(method, rows(List.of()), journal.resumed(run(second, journal)));
    Set<StreamId> asked = new HashSet<>();
    first.answers().forEach(answer -> assertThat(asked.add(answer.id())).isTrue());
    second.answers().forEach(answer -> assertThat(asked.add(answer.id())).isTrue());
    // Steps 17 and 18 were begun together, and 18 was lost unasked.
    assertThat(asked).hasSize(STEPS - 1);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void noText_holdsARowsValues(MethodCase tested) {
    Training method = tested.method(Adjacency.ADD_REMOVE, STEPS);
    float[] marked = new float[MethodCase.FEATURES];
    Arrays.fill(marked, MARKED);
    PrivateRows rows = rows(List.of(new Row(marked, 987_654), new Row(marked, 1)));
    StringBuilder text = new StringBuilder();
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(SEED));
    TrainingAttempt cancelled =
        run(noise, journal).watched(() -> noise.answers().size() == 3, text::append);
    assertThatThrownBy(() -> train(method, rows, cancelled))
        .satisfies(e -> text.append(e))
        .isInstanceOf(TrainingCancelled.class);
    assertThatThrownBy(
            () ->
                method.train(
                    () -> new Charge("x", new Gaussian(NoiseMultiplier.of(99), 1, 1)),
                    rows,
                    cancelled))
        .satisfies(e -> text.append(e));
    text.append(journal.entries()).append(method).append(method.mechanism()).append(rows);
    assertThat(text).doesNotContain("7654").doesNotContain("987654").isNotEmpty();
  }

  private static List<List<Row>> neighboursOf(Row one, List<Row> others) {
    if (others.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Row>> replaced = new ArrayList<>();
    for (Row other : others) {
      if (!other.equals(one)) {
        replaced.add(List.of(other));
      }
    }
    return replaced;
  }

  private static double greatestDifference(TranscriptNoise noise, TranscriptNoise other) {
    assertThat(other.samples()).isEqualTo(noise.samples());
    assertThat(other.answers()).hasSameSizeAs(noise.answers());
    double greatest = 0;
    for (int t = 0; t < noise.answers().size(); t++) {
      Answer one = noise.answers().get(t);
      Answer two = other.answers().get(t);
      assertThat(two.id()).isEqualTo(one.id());
      assertThat(two.deviation()).isEqualTo(one.deviation());
      greatest =
          Math.max(greatest, MathArrays.distance(one.exact(), two.exact()) / one.deviation());
    }
    return greatest;
  }

  /** One release of the charge as if every row took part. */
  private static Gaussian perAnswer(Mechanism mechanism) {
    return mechanism instanceof SubsampledGaussian sampled
        ? sampled.unsampled()
        : (Gaussian) mechanism;
  }

  private static void assertChiSquared(double squares, int degrees) {
    ChiSquaredDistribution law = ChiSquaredDistribution.of(degrees);
    assertThat(squares)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
  }

  /** The same rows every time, and the given ones after them. */
  private static PrivateRows rows(List<Row> last) {
    SplittableRandom random = new SplittableRandom(8);
    float[][] values =
        Arrays.copyOf(TestRows.normalRows(random, ROWS, MethodCase.FEATURES), ROWS + last.size());
    int[] labels =
        Arrays.copyOf(TestRows.labels(random, ROWS, Fixture.CLASSES), ROWS + last.size());
    for (int i = 0; i < last.size(); i++) {
      values[ROWS + i] = last.get(i).features();
      labels[ROWS + i] = last.get(i).label();
    }
    return new PrivateRows(TestRows.blocks(values, labels));
  }

  private static ReservedCharge charged(Training method) {
    return () -> new Charge("trial 1", method.mechanism());
  }

  private static TrainingAttempt run(NoiseSource noise, StepJournal journal) {
    return TrainingAttempt.fresh(Engine.REFERENCE, noise, Fixture.STREAMS, journal);
  }

  private static double[] train(Training method, PrivateRows rows, TrainingAttempt run) {
    return method.train(charged(method), rows, run).weights();
  }

  private static double[] model(Training method, PrivateRows rows, NoiseSource noise) {
    return train(method, rows, run(noise, new RecordingJournal()));
  }

  private static TranscriptNoise trained(Training method, PrivateRows rows, NoiseSource noise) {
    TranscriptNoise transcript = TranscriptNoise.of(noise);
    train(method, rows, run(transcript, new RecordingJournal()));
    return transcript;
  }

  private static TranscriptNoise following(TranscriptNoise first) {
    return TranscriptNoise.following(first, new SeededNoise(SEED));
  }
}
