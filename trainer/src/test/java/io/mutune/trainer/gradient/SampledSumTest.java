package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums over samples, and with a clip norm of their own. */
class SampledSumTest {
  private static final int ROWS = 5000;
  private static final int FEATURES = 20;
  private static final Loss SOFTMAX = new SoftmaxLoss();

  private final SplittableRandom random = new SplittableRandom(6);
  private final float[][] rows = TestRows.normalRows(random, ROWS, FEATURES);
  private final int[] labels = TestRows.labels(random, ROWS, 3);
  private final double[] weights = TestRows.weights(random, FEATURES * 3);

  private static UniformStream bits() {
    return new SeededNoise(3).bits(new StreamId("sample", 1, 1, 1));
  }

  private double[] sum(Engine engine, double clip, RowSample sample) {
    double[] sum = new double[weights.length];
    PrivateRows data = new PrivateRows(TestRows.blocks(rows, labels));
    try (ClippedSum clipped = engine.open(data, SOFTMAX, 3, ClipNorm.of(1))) {
      clipped.compute(weights, ClipNorm.of(clip), sample, sum);
    }
    return sum;
  }

  /**
   * More than two pieces of sampled rows, over two blocks; the rows are picked by hand beside it.
   */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void aSample_addsUpToItsRowsAlone(Engine engine) {
    double rate = 0.13;
    UniformStream same = bits();
    boolean[] taken = new boolean[ROWS];
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
      taken[i] = same.chance(rate);
      count += taken[i] ? 1 : 0;
    }
    float[][] picked = new float[count][];
    int[] labelsOfPicked = new int[count];
    for (int i = 0, at = 0; i < ROWS; i++) {
      if (taken[i]) {
        picked[at] = rows[i];
        labelsOfPicked[at++] = labels[i];
      }
    }
    double[] expected =
        TestRows.clippedSum(Engine.REFERENCE, picked, labelsOfPicked, SOFTMAX, 3, 0.2, weights);
    assertThat(count).isGreaterThan(512);
    assertClose(sum(engine, 0.2, RowSample.poisson(rate, bits())), expected);
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void anEmptySample_addsUpToZero(Engine engine) {
    assertThat(sum(engine, 1, RowSample.poisson(0, bits()))).containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void aSampleOfEveryRow_isTheSumOfAll(Engine engine) {
    assertClose(sum(engine, 0.2, RowSample.poisson(1, bits())), sum(engine, 0.2, RowSample.ALL));
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void aClipNormOfItsOwn_bindsOneRow(Engine engine) {
    float[] large = new float[FEATURES];
    Arrays.fill(large, 1e10f);
    PrivateRows data = new PrivateRows(TestRows.blocks(new float[][] {large}, new int[] {1}));
    double[] sum = new double[FEATURES * 3];
    try (ClippedSum clipped = engine.open(data, SOFTMAX, 3, ClipNorm.of(1))) {
      for (double clip : new double[] {1e-6, 0.3, 7}) {
        clipped.compute(new double[sum.length], ClipNorm.of(clip), RowSample.ALL, sum);
        assertThat(norm(sum)).isBetween(clip * (1 - 2.7e-4), clip);
        clipped.compute(
            new double[sum.length], ClipNorm.of(clip), RowSample.poisson(1, bits()), sum);
        assertThat(norm(sum)).isBetween(clip * (1 - 2.7e-4), clip);
      }
    }
  }

  /** Binomial; both sides 5e-10. Fails by chance 1e-9 of the time. */
  @Test
  void aRowIsTaken_asOftenAsItsRateSays() {
    int draws = 1_000_000;
    for (double rate : new double[] {1e-4, 0.01, 0.3, 0.999}) {
      RowSample sample =
          RowSample.poisson(rate, new SecureNoise().bits(new StreamId("rate", 1, 1, 1)));
      int taken = 0;
      for (int i = 0; i < draws; i++) {
        taken += sample.takesNext() ? 1 : 0;
      }
      BinomialDistribution law = BinomialDistribution.of(draws, rate);
      assertThat(taken)
          .isBetween(
              law.inverseCumulativeProbability(1.25e-10), law.inverseSurvivalProbability(1.25e-10));
    }
  }

  /** 0.3 is no multiple of 2^−53: the greatest uniform that takes part is below it. */
  @Test
  void chances_areRoundedDown() {
    long below = (long) (0.3 * 0x1p53);
    UniformStream last = () -> (below - 1) << 11;
    UniformStream next = () -> below << 11;
    assertThat(last.chance(0.3)).isTrue();
    assertThat(next.chance(0.3)).isFalse();
    UniformStream least = () -> 0;
    assertThat(least.chance(0x1p-54)).isFalse();
    assertThat(least.chance(0)).isFalse();
    UniformStream greatest = () -> -1L;
    assertThat(greatest.chance(1)).isTrue();
    assertThat(greatest.chance(Math.nextDown(1.0))).isFalse();
  }

  private static void assertClose(double[] actual, double[] expected) {
    double size = norm(expected);
    for (int k = 0; k < expected.length; k++) {
      // Rows in float32 are off by 6e-8 each.
      assertThat(actual[k]).isCloseTo(expected[k], within(1e-6 * size));
    }
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
  }
}
