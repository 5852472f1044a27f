package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.TranscriptNoise.Answer;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link Training} promises, of the methods whose answers differ from step to step or that
 * release only their last model; {@code MethodConformanceTest} has the others.
 */
public class ClassicConformanceTest {
  private static final PrivateRows ROWS = BinaryProblem.privateRows((int) ClassicMethods.ROWS);

  static Stream<Named<Training>> stepwise() {
    return Stream.of(
        Named.of("Ppsgd", ClassicMethods.ppsgd()),
        Named.of("Ppgd", ClassicMethods.ppgd(Adjacency.ADD_REMOVE)),
        Named.of("Ppgd replaced", ClassicMethods.ppgd(Adjacency.REPLACE_ONE)),
        Named.of("Agd", ClassicMethods.agd(Adjacency.ADD_REMOVE)),
        Named.of("Agd replaced", ClassicMethods.agd(Adjacency.REPLACE_ONE)),
        Named.of("Pate", ClassicMethods.pate()));
  }

  static Stream<Named<Training>> finalOnly() {
    return Stream.of(
        Named.of("OutputPerturbation", ClassicMethods.outputPerturbation(Adjacency.ADD_REMOVE)),
        Named.of(
            "OutputPerturbation pure",
            ClassicMethods.outputPerturbation(Adjacency.REPLACE_ONE, true, 1)),
        Named.of(
            "ObjectivePerturbation", ClassicMethods.objectivePerturbation(Adjacency.REPLACE_ONE)),
        Named.of("Pnsgd", ClassicMethods.pnsgd(2)));
  }

  public static Stream<Named<Training>> all() {
    return Stream.concat(stepwise(), finalOnly());
  }

  @ParameterizedTest
  @MethodSource("all")
  void anotherCharge_isRefusedBeforeAnythingHappens(Training method) {
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(1));
    ClippedSums unopened =
        (rows, loss, classes, clip) -> {
          throw new AssertionError("private rows were read");
        };
    TrainingAttempt run = TrainingAttempt.fresh(unopened, noise, Fixture.STREAMS, journal);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                method.train(
                    () -> new Charge("trial 1", new PureDp(Epsilon.of(1.5), 1)), ROWS, run))
        .withMessageContaining("'trial 1' is charged as");
    assertThat(noise.answers()).isEmpty();
    assertThat(noise.samples()).isEmpty();
    assertThat(journal.entries()).isEmpty();
  }

  /** None of them clips what the rows of one person add together. */
  @ParameterizedTest
  @MethodSource("all")
  void peopleOfSeveralRows_areRefused(Training method) {
    int[] pairs = IntStream.range(0, (int) ClassicMethods.ROWS).map(row -> row / 2).toArray();
    PrivateRows ofPairs = new PrivateRows(ROWS.blocks().withUnits(RowUnits.of(pairs)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BinaryProblem.model(method, ofPairs, new SeededNoise(1)))
        .withMessageContaining("cannot protect people of several rows");
  }

  @ParameterizedTest
  @MethodSource("all")
  void seededRuns_repeatBitForBitOnEveryEngine(Training method) {
    for (Engine engine : Engine.values()) {
      List<double[]> models = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        TrainingAttempt run =
            Fixture.seeded(engine.sums(RowOrders.seeded(3)), new RecordingJournal());
        models.add(method.train(BinaryProblem.charged(method), ROWS, run).weights());
      }
      assertThat(models.get(0)).isEqualTo(models.get(1)).doesNotContain(0.0, Double.NaN);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void rowsThatAreNoNumbersOrHaveNoClass_changeNothing(Training method) {
    PrivateRows broken = BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(Float.NaN), 1);
    PrivateRows noClass = BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(1), 7);
    PrivateRows infinite =
        BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(Float.POSITIVE_INFINITY), 0);
    double[] once = BinaryProblem.model(method, broken, new SeededNoise(3));
    assertThat(BinaryProblem.model(method, noClass, new SeededNoise(3))).isEqualTo(once);
    assertThat(BinaryProblem.model(method, infinite, new SeededNoise(3))).isEqualTo(once);
  }

  /** AGD is left out: its choices are no sums with noise, so a neighbour's may differ. */
  static Stream<Named<Training>> sums() {
    return stepwise().filter(method -> !method.getName().startsWith("Agd"));
  }

  @ParameterizedTest
  @MethodSource("sums")
  void neighbours_areToldApartByTheirAnswersOnly(Training method) {
    PrivateRows other = BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(1e6f), 0);
    RecordingJournal journal = new RecordingJournal();
    RecordingJournal journalOfOther = new RecordingJournal();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(4));
    method.train(BinaryProblem.charged(method), ROWS, BinaryProblem.run(noise, journal));
    TranscriptNoise following = TranscriptNoise.following(noise, new SeededNoise(4));
    method.train(
        BinaryProblem.charged(method), other, BinaryProblem.run(following, journalOfOther));
    assertThat(journalOfOther.entries()).isEqualTo(journal.entries());
    assertThat(following.samples()).isEqualTo(noise.samples());
    for (int t = 0; t < noise.answers().size(); t++) {
      Answer one = noise.answers().get(t);
      Answer two = following.answers().get(t);
      assertThat(two.id()).isEqualTo(one.id());
      assertThat(two.deviation()).isEqualTo(one.deviation());
    }
  }

  @ParameterizedTest
  @MethodSource("stepwise")
  void aCancelledRun_keepsTheStepsDoneAndGoesOn(Training method) {
    RecordingJournal journal = new RecordingJournal();
    AtomicInteger done = new AtomicInteger();
    TrainingAttempt run =
        BinaryProblem.run(new SeededNoise(5), journal).watched(() -> done.get() == 5, done::set);
    assertThatThrownBy(() -> method.train(BinaryProblem.charged(method), ROWS, run))
        .isInstanceOf(TrainingCancelled.class);
    assertThat(journal.entries()).endsWith("checkpoint 5");
    TrainingAttempt rest = journal.resumed(BinaryProblem.run(new SeededNoise(5), journal));
    double[] resumed = method.train(BinaryProblem.charged(method), ROWS, rest).weights();
    if (!(method instanceof Pate.Voting)) {
      // PATE's teachers are others after a resumption.
      assertThat(resumed).isEqualTo(BinaryProblem.model(method, ROWS, new SeededNoise(5)));
    }
  }

  @ParameterizedTest
  @MethodSource("stepwise")
  void acrossACrash_nothingIsDrawnTwice(Training method) {
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise first = TranscriptNoise.of(new SecureNoise());
    TrainingAttempt crashing =
        BinaryProblem.run(first, journal)
            .watched(
                () -> false,
                step -> {
                  if (step == 9) {
                    throw new IllegalStateException("power cut");
                  }
                });
    assertThatThrownBy(() -> method.train(BinaryProblem.charged(method), ROWS, crashing))
        .hasMessage("power cut");
    TranscriptNoise second = TranscriptNoise.of(new SecureNoise());
    method.train(
        BinaryProblem.charged(method), ROWS, journal.resumed(BinaryProblem.run(second, journal)));
    Set<StreamId> drawn = new HashSet<>();
    for (TranscriptNoise noise : List.of(first, second)) {
      noise.answers().forEach(answer -> assertThat(drawn.add(answer.id())).isTrue());
      noise.samples().forEach(id -> assertThat(drawn.add(id)).isTrue());
    }
  }

  @ParameterizedTest
  @MethodSource("finalOnly")
  void onTheWayToTheOnlyRelease_nothingIsStored(Training method) {
    List<double[]> stored = new ArrayList<>();
    StepJournal journal =
        new StepJournal() {
          @Override
          public void begin(int firstStep, int lastStep) {
            assertThat(firstStep).isEqualTo(1);
            assertThat(lastStep).isEqualTo(1);
          }

          @Override
          public void checkpoint(Iterate iterate) {
            assertThat(iterate.memory()).isEmpty();
            stored.add(iterate.weights());
          }
        };
    assertThat(method.steps()).isEqualTo(1);
    double[] model =
        method
            .train(
                BinaryProblem.charged(method), ROWS, BinaryProblem.run(new SeededNoise(6), journal))
            .weights();
    assertThat(stored).hasSize(1);
    assertThat(stored.get(0)).isEqualTo(model);
  }

  @ParameterizedTest
  @MethodSource("finalOnly")
  void aReleaseThatWasBegunAndLost_isGone(Training method) {
    ClippedSums broken =
        (rows, loss, classes, clip) -> {
          throw new AssertionError("read again");
        };
    TranscriptNoise noise = TranscriptNoise.of(new SecureNoise());
    TrainingAttempt run =
        Fixture.resumed(
            TrainingAttempt.fresh(broken, noise, Fixture.STREAMS, new RecordingJournal()),
            Optional.empty(),
            1);
    assertThat(method.train(BinaryProblem.charged(method), ROWS, run).weights()).containsOnly(0.0);
    assertThat(noise.answers()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("finalOnly")
  void aReleaseThatIsCancelled_leavesNothingAndMayBeMadeLater(Training method) {
    RecordingJournal journal = new RecordingJournal();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(7));
    AtomicInteger asked = new AtomicInteger();
    TrainingAttempt run =
        BinaryProblem.run(noise, journal).watched(() -> asked.incrementAndGet() == 2, step -> {});
    assertThatThrownBy(() -> method.train(BinaryProblem.charged(method), ROWS, run))
        .isInstanceOf(TrainingCancelled.class);
    assertThat(noise.answers()).isEmpty();
    assertThat(journal.entries()).containsExactly("begin 1-1", "checkpoint 0");
    TrainingAttempt rest = journal.resumed(BinaryProblem.run(new SeededNoise(7), journal));
    assertThat(method.train(BinaryProblem.charged(method), ROWS, rest).weights())
        .isEqualTo(BinaryProblem.model(method, ROWS, new SeededNoise(7)));
  }
}
