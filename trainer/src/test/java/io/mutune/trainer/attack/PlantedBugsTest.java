package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.empirical.ManyRunAudit;
import io.mutune.accountant.empirical.NoiseTest;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.score.NoisyScore;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Bugs that are put into the trainer from outside, each with the detector that finds it. Alarms are
 * given at 1e-6, so that is how often a sound program gives a false one; how many runs it takes and
 * how surely the bug is found stands with each. Seeds are fixed, so that every test repeats.
 */
class PlantedBugsTest {
  private static final double ALARM = 1e-6;
  private static final int CLASSES = 3;
  private static final int FEATURES = 20;
  private static final int STEPS = 10;
  private static final double CLIP = 0.5;
  private static final double SIGMA = 2;

  private final KnownRows rows = Attacked.easyRows(200, FEATURES, CLASSES, 5);

  private static Attacked attacked() {
    return new Attacked(CLASSES, CLIP, SIGMA, STEPS);
  }

  /** Noise that passes what it is asked for through a fault. */
  private record Faulty(
      NoiseSource sound, Function<StreamId, StreamId> id, double factor, long reseeded)
      implements NoiseSource {
    static NoiseSource halved(NoiseSource sound) {
      return new Faulty(sound, id -> id, 0.5, 0);
    }

    /** Every trial draws what trial 1 draws, behind the back of the check for reuse. */
    static NoiseSource sameForTrials(long seed) {
      return new Faulty(
          new SeededNoise(seed),
          id -> new StreamId(id.study(), 1, id.attempt(), id.step()),
          1,
          seed);
    }

    @Override
    public NormalStream stream(StreamId asked) {
      NoiseSource source = reseeded == 0 ? sound : new SeededNoise(reseeded);
      NormalStream stream = source.stream(id.apply(asked));
      return () -> factor * stream.next();
    }

    @Override
    public UniformStream bits(StreamId asked) {
      return sound.bits(asked);
    }

    @Override
    public String description() {
      return sound.description();
    }
  }

  private double[] residual(Attacked attacked) {
    return new NoiseResidual(rows, Attacked.LOSS, CLASSES, Engine.REFERENCE)
        .of(attacked.run(rows).descent(), step -> RowSample.ALL);
  }

  /**
   * One run of 600 draws. Half the noise leaves χ²(600)/4, which is above the alarm's 445 with a
   * probability of P[χ²(600) > 1782] &lt; 1e-100: found always.
   */
  @Test
  void halvedNoise_isFoundByItsScale_inOneRun() {
    double[] sound = residual(attacked());
    double[] halved = residual(attacked().noise(Faulty.halved(new SeededNoise(1))));

    assertThat(sound).hasSize(STEPS * FEATURES * CLASSES);
    assertThat(NoiseTest.wrongScale(sound)).isGreaterThan(ALARM);
    assertThat(NoiseTest.wrongScale(halved)).isLessThan(ALARM);
  }

  /**
   * The same by what it does, without knowing what noise there should be: 400 runs with a row and
   * 400 without at μ = 3, told apart at the middle. Sound, the bound on μ passes 3 at most once in
   * 1e6 times (Clopper-Pearson). Halved, each side errs with probability Φ(−3) = 0.00135; five
   * errors on either side leave a bound above 3.04, and more than five of 400 happen on one of the
   * two with a probability of 4e-5: found with 0.9999.
   */
  @Test
  void halvedNoise_isFoundByTellingNeighboursApart() {
    double sigma = 1 / 3.0;

    assertThat(tellApart(sigma, seed -> new SeededNoise(seed)).muAtLeast(ALARM)).isLessThan(3);
    assertThat(tellApart(sigma, seed -> Faulty.halved(new SeededNoise(seed))).muAtLeast(ALARM))
        .isGreaterThan(3);
  }

  private static ManyRunAudit tellApart(double sigma, Function<Long, NoiseSource> noise) {
    KnownRows others = Attacked.easyRows(30, 5, CLASSES, 6);
    KnownRows loud = new KnownRows(5, new float[][] {{0, 0, 0, 0, 9}}, new int[] {1});
    GradientAttack attack =
        new GradientAttack(others, loud, Attacked.LOSS, CLASSES, Engine.REFERENCE);
    double[] with = new double[400];
    double[] without = new double[400];
    Attacked attacked = new Attacked(CLASSES, CLIP, sigma, 1);
    for (int run = 0; run < with.length; run++) {
      attacked.noise(noise.apply(1000L + run));
      with[run] = attack.scores(attacked.run(others.and(loud)).descent())[0];
      attacked.noise(noise.apply(5000L + run));
      without[run] = attack.scores(attacked.run(others).descent())[0];
    }
    return ManyRunAudit.ofThreshold(without, with, 0);
  }

  /**
   * Two trials of 600 draws each. Noise that is the same has ⟨a, b⟩/‖a‖ = ‖a‖, which is below the
   * alarm's 4.9 with a probability of P[χ²(600) &lt; 24] &lt; 1e-200: found always.
   */
  @Test
  void oneStreamForTwoTrials_isFoundByWhatTheyShare() {
    NoiseSource sound = new SeededNoise(2);
    NoiseSource shared = Faulty.sameForTrials(2);

    assertThat(
            NoiseTest.related(
                residual(attacked().noise(sound).trial(1)),
                residual(attacked().noise(sound).trial(2))))
        .isGreaterThan(ALARM);
    assertThat(
            NoiseTest.related(
                residual(attacked().noise(shared).trial(1)),
                residual(attacked().noise(shared).trial(2))))
        .isLessThan(ALARM);
  }

  /**
   * 40 rows with gradients of about 20 clip norms each in a direction of its own, one run of 10
   * steps. What is left along a sound row is N(0, 1); the alarm is 400 times the normal tail, given
   * from 5.8 deviations on. A row that is left at 20 clip norms lies 9.5 above, so that all ten
   * steps miss it with a probability below (3e-4)^10.
   */
  @Test
  void aRowThatIsNotClipped_isFoundWhereverItStands_inOneRun() {
    int count = 40;
    float[][] values = new float[count][count];
    for (int i = 0; i < count; i++) {
      values[i][i] = 15;
    }
    KnownRows loud = new KnownRows(count, values, new int[count]);

    assertThat(leastPValue(loud, Engine.REFERENCE)).isGreaterThan(ALARM);
    for (int row : new int[] {0, 17, count - 1}) {
      assertThat(leastPValue(loud, unclipped(row))).isLessThan(ALARM);
    }
  }

  private static double leastPValue(KnownRows loud, ClippedSums engine) {
    ReleasedDescent released = attacked().engine(engine).run(loud).descent();
    NoiseResidual residual = new NoiseResidual(loud, Attacked.LOSS, CLASSES, Engine.REFERENCE);
    return IntStream.range(0, loud.count())
        .mapToObj(row -> residual.along(released, t -> RowSample.ALL, loud.only(row)))
        .flatMapToDouble(Arrays::stream)
        .map(z -> tooGreat(z, (long) STEPS * loud.count()))
        .min()
        .orElseThrow();
  }

  /** How rare it is that one of so many draws is so great: at most their number times the tail. */
  private static double tooGreat(double z, long draws) {
    return Math.min(1, draws * NormalDistribution.of(0, 1).survivalProbability(z));
  }

  /** Adds a row a second time, at twenty clip norms. */
  private static ClippedSums unclipped(int skipped) {
    return (rows, loss, classes, clip) -> {
      ClippedSum sound = Engine.REFERENCE.open(rows, loss, classes, clip);
      ClippedSum wide = Engine.REFERENCE.open(rows, loss, classes, ClipNorm.of(20 * clip.value()));
      return new ClippedSum() {
        @Override
        public void compute(double[] weights, double[] sum) {
          double[] whole = new double[sum.length];
          double[] cut = new double[sum.length];
          sound.compute(weights, sum);
          wide.compute(weights, ClipNorm.of(20 * clip.value()), only(skipped), whole);
          sound.compute(weights, clip, only(skipped), cut);
          for (int i = 0; i < sum.length; i++) {
            sum[i] += whole[i] - cut[i];
          }
        }

        @Override
        public void compute(double[] weights, ClipNorm at, RowSample sample, double[] sum) {
          compute(weights, sum);
        }

        @Override
        public void close() {
          sound.close();
          wide.close();
        }
      };
    };
  }

  private static RowSample only(int row) {
    int[] next = {0};
    return () -> next[0]++ == row;
  }

  /**
   * A row of zeros adds nothing to any sum. Under the same noise a sound run is the same to the
   * last bit with it and without it; one that is scaled by the number of rows is not. No chance is
   * in it: one pair of runs, no false alarm and no miss.
   */
  @Test
  void scalingByThePrivateRowCount_isFoundByARowThatSaysNothing() {
    KnownRows silent = new KnownRows(FEATURES, new float[1][FEATURES], new int[] {0});
    KnownRows more = rows.and(silent);

    assertThat(weights(attacked(), more)).isEqualTo(weights(attacked(), rows));
    assertThat(weights(attacked().publicRows(more.count()), more))
        .isNotEqualTo(weights(attacked().publicRows(rows.count()), rows));
  }

  private static List<Double> weights(Attacked attacked, KnownRows rows) {
    return Arrays.stream(attacked.run(rows).model().weights()).boxed().toList();
  }

  /**
   * A count is a whole number; with noise of σ = 3 it lies within 1e-8 of one with a probability of
   * 2e-8. One score.
   */
  @Test
  void aScoreWithoutNoise_isFoundByBeingAWholeNumber() throws Exception {
    PrivateRows counted = rows.open();
    LinearModel model = attacked().run(rows).model();
    NoisyScore score =
        Metric.ACCURACY.noisy(
            NoiseMultiplier.of(3), Adjacency.ADD_REMOVE, 200, Attacked.LOSS, CLASSES);
    NormalStream sound = new SeededNoise(4).stream(new StreamId("study", 1, 1, StreamId.SCORE));

    assertThat(fraction(200 * score.score(() -> charge(score), counted, model, sound)))
        .isGreaterThan(1e-8);
    assertThat(fraction(200 * score.score(() -> charge(score), counted, model, () -> 0)))
        .isLessThan(1e-8);
  }

  private static Charge charge(NoisyScore score) {
    return new Charge("score of trial 1", score.mechanism());
  }

  private static double fraction(double value) {
    return Math.abs(value - Math.rint(value));
  }

  /** What the detectors stand on: the iterates give the sums back, to rounding. */
  @Test
  void theIterates_tellTheSums() {
    Loss loss = Attacked.LOSS;
    ReleasedDescent released = attacked().run(rows).descent();
    RowGradients gradients = new RowGradients(loss, ClipNorm.of(CLIP));

    assertThat(released.steps()).hasSize(STEPS);
    double[] z = residual(attacked());
    double[] sum;
    try (ClippedSum sums = RowGradients.open(Engine.REFERENCE, rows, loss, CLASSES)) {
      sum = gradients.sum(sums, released.steps().get(9).weights());
    }
    double[] drawn = new double[sum.length];
    new SeededNoise(1).stream(new StreamId("study", 1, 1, 10)).addTo(drawn, 1);
    for (int i = 0; i < drawn.length; i++) {
      assertThat(z[9 * drawn.length + i]).isCloseTo(drawn[i], Offset.offset(1e-9));
    }
  }
}
