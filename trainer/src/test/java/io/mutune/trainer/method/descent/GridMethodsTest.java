package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.budget.ClassicConformanceTest;
import io.mutune.trainer.noise.Grid;
import io.mutune.trainer.noise.GridNoise;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.SecureNoise;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods whose sums are rounded to a grid, and charged for that. */
class GridMethodsTest {
  private static final int FEATURES = MethodCase.FEATURES;
  private static final int STEPS = 40;
  private static final double CLIP = MethodCases.CLIP;

  /** So coarse that rounding is most of the sensitivity. */
  private static final SumRounding COARSE =
      new SumRounding(new Grid(-3), FEATURES, Fixture.CLASSES);

  private static final SumRounding USUAL = new SumRounding(Grid.USUAL, FEATURES, Fixture.CLASSES);

  private static Training made(TrainingMethod method, Adjacency adjacency, SumRounding rounding) {
    return method
        .rounded(rounding)
        .orElseThrow()
        .training(Fixture.problem(adjacency, 50), Fixture.run(1, STEPS, 3), PublicInputs.NONE);
  }

  private static Training noisyGd(Adjacency adjacency, SumRounding rounding) {
    return made(new NoisyGd(ClipNorm.of(CLIP), 0.9, false), adjacency, rounding);
  }

  private static Stream<Training> methods(Adjacency adjacency, SumRounding rounding) {
    NoisyGradient all = NoisyGradient.ofAllRows(ClipNorm.of(CLIP));
    NoisyGradient sample = NoisyGradient.ofSamples(ClipNorm.of(CLIP), 0.3);
    return Stream.of(
            new NoisyGd(ClipNorm.of(CLIP), 0.9, false),
            new DpSgd(all, 0, false, Start.zero()),
            new DpSgd(sample, 0, false, Start.zero()),
            DpAdam.of(sample),
            new DpAdamWosm(sample, Start.zero()),
            new SgdAdv(sample, 0.1))
        .map(method -> made(method, adjacency, rounding));
  }

  static Stream<Arguments> cases() {
    return Arrays.stream(Adjacency.values())
        .flatMap(a -> methods(a, COARSE).map(method -> Arguments.of(a, method)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyReleasedSum_liesOnTheGrid(Adjacency adjacency, Training method) {
    TranscriptNoise noise = TranscriptNoise.of(GridNoise.secure(COARSE.grid()));
    train(method, rows(List.of()), noise);
    assertThat(noise.answers()).hasSize(STEPS);
    boolean wereAll = true;
    for (TranscriptNoise.Answer answer : noise.answers()) {
      for (int i = 0; i < answer.exact().length; i++) {
        assertThat(answer.released()[i] * 8).isEqualTo(Math.rint(answer.released()[i] * 8));
        wereAll &= answer.exact()[i] * 8 == Math.rint(answer.exact()[i] * 8);
      }
    }
    // The sums themselves did not, or this would show nothing.
    assertThat(wereAll).isFalse();
  }

  /** By hand: d = 18 weights, C = 1/2, g = 2^-3, so that g√d/C = √18/4 = 1.0606601717798212. */
  @ParameterizedTest
  @MethodSource("cases")
  void theCharge_containsTheRounding(Adjacency adjacency, Training method) {
    double moved = 1.0606601717798212;
    Map<String, Number> charged = method.mechanism().parameters();
    double s = adjacency == Adjacency.ADD_REMOVE ? 1 : 2;
    double least = charged.containsKey("samplingRate") ? s * (1 + moved) : s + moved;
    // Up by 2^-50 and no more than some roundings of a double above it.
    assertThat(Objects.requireNonNull(charged.get("sensitivity")).doubleValue())
        .isBetween(least, least * (1 + 1e-14));
    assertThat(method.grid()).hasValue(COARSE.grid());
  }

  /**
   * Rows that an adversary would take, among others. What rounding makes of their sums is further
   * apart than C allows, and no further than is charged.
   */
  @Test
  void roundedSumsOfNeighbours_moveFurtherThanClipping_andWithinTheCharge() {
    SplittableRandom random = new SplittableRandom(3);
    double greatest = 0;
    Training method = noisyGd(Adjacency.ADD_REMOVE, COARSE);
    for (int trial = 0; trial < 200; trial++) {
      float[] row = new float[FEATURES];
      for (int j = 0; j < FEATURES; j++) {
        row[j] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(4) - 1));
      }
      TranscriptNoise with = TranscriptNoise.of(GridNoise.seeded(COARSE.grid(), trial));
      train(method, rows(List.of(row)), with);
      TranscriptNoise without =
          TranscriptNoise.following(with, GridNoise.seeded(COARSE.grid(), trial));
      train(method, rows(List.of()), without);
      for (int t = 0; t < STEPS; t++) {
        double squares = 0;
        double[] one = with.answers().get(t).exact();
        double[] two = without.answers().get(t).exact();
        for (int i = 0; i < one.length; i++) {
          double difference = (Math.rint(one[i] * 8) - Math.rint(two[i] * 8)) / 8;
          squares += difference * difference;
        }
        greatest = Math.max(greatest, Math.sqrt(squares));
      }
    }
    assertThat(greatest)
        .isGreaterThan(CLIP)
        .isLessThanOrEqualTo(((Gaussian) method.mechanism()).sensitivity() * CLIP);
  }

  /** What a user would take costs next to nothing: √18·2^-30/0.5 = 7.9e-9. */
  @Test
  void theUsualGrid_addsLittle() {
    assertThat(((Gaussian) noisyGd(Adjacency.ADD_REMOVE, USUAL).mechanism()).sensitivity())
        .isBetween(1 + 7.9e-9, 1 + 8e-9);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void otherNoiseThanTheChargeAllowsFor_isRefusedBeforeARowIsRead(
      Adjacency adjacency, Training method) {
    List<NoiseSource> others =
        List.of(new SecureNoise(), GridNoise.secure(new Grid(-2)), GridNoise.secure(Grid.USUAL));
    for (NoiseSource other : others) {
      assertThatIllegalStateException()
          .isThrownBy(() -> run(method, UNOPENED, other))
          .withMessageContaining("is charged for multiples of 2^-3 but its noise rounds to");
    }
  }

  /** A grid that the charge knows nothing of would move sums by what nobody paid for. */
  @ParameterizedTest
  @MethodSource("others")
  void noiseOnAGrid_isRefusedByWhatIsNotChargedForIt(Training method) {
    assertThatIllegalStateException()
        .isThrownBy(() -> run(method, UNOPENED, GridNoise.secure(Grid.USUAL)))
        .withMessageContaining("is charged for no grid but its noise rounds to multiples of 2^-30");
  }

  static Stream<Training> others() {
    return Stream.concat(
        MethodCases.all().stream().map(m -> m.method(Adjacency.ADD_REMOVE, 5)),
        ClassicConformanceTest.all().map(Named::getPayload));
  }

  @Test
  void anotherShapeThanTheChargedOne_isRefusedBeforeARowIsRead() {
    SumRounding narrow = new SumRounding(Grid.USUAL, FEATURES - 1, Fixture.CLASSES);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                run(noisyGd(Adjacency.ADD_REMOVE, narrow), UNOPENED, GridNoise.secure(Grid.USUAL)))
        .withMessageContaining("rows of 6 features");
    SumRounding flat = new SumRounding(Grid.USUAL, FEATURES, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noisyGd(Adjacency.ADD_REMOVE, flat))
        .withMessageContaining("number of columns that is rounded");
  }

  private static final ClippedSums UNOPENED =
      (rows, loss, classes, clip) -> {
        throw new AssertionError("private rows were read");
      };

  private static void run(Training method, ClippedSums engine, NoiseSource noise) {
    Mechanism mechanism = method.mechanism();
    method.train(
        () -> new Charge("trial 1", mechanism),
        rows(List.of()),
        TrainingAttempt.fresh(engine, noise, Fixture.STREAMS, new RecordingJournal()));
  }

  private static void train(Training method, PrivateRows rows, NoiseSource noise) {
    Mechanism mechanism = method.mechanism();
    method.train(
        () -> new Charge("trial 1", mechanism),
        rows,
        TrainingAttempt.fresh(Engine.REFERENCE, noise, Fixture.STREAMS, new RecordingJournal()));
  }

  private static PrivateRows rows(List<float[]> last) {
    SplittableRandom random = new SplittableRandom(8);
    int count = 60;
    float[][] values =
        Arrays.copyOf(TestRows.normalRows(random, count, FEATURES), count + last.size());
    int[] labels =
        Arrays.copyOf(TestRows.labels(random, count, Fixture.CLASSES), count + last.size());
    for (int i = 0; i < last.size(); i++) {
      values[count + i] = last.get(i);
    }
    return new PrivateRows(TestRows.blocks(values, labels));
  }
}
