package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecondJvm;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClippedSumTest {
  private static final Loss SOFTMAX = new SoftmaxLoss();

  /**
   * Duplicate rows, zero rows, rows of norm up to 1e18 and several blocks among them. Float32 is
   * off by about 1e-7 a product; 1e-5 is what is promised.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void engines_agreeOnOneStep(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int classes = 2 + random.nextInt(12);
    Loss loss = classes == 2 ? new LogisticLoss() : SOFTMAX;
    float[][] rows = TestRows.normalRows(random, 3000 + random.nextInt(6000), 20 + 13 * seed);
    for (int i = 0; i + 2 < rows.length; i += 10) {
      rows[i] = rows[0];
      Arrays.fill(rows[i + 1], 0);
      scale(rows[i + 2], Math.pow(10, random.nextInt(6, 19)));
    }
    int[] labels = TestRows.labels(random, rows.length, classes);
    double[] weights = TestRows.weights(random, rows[0].length * loss.columns(classes));
    double[] reference =
        TestRows.clippedSum(Engine.REFERENCE, rows, labels, loss, classes, 1, weights);
    for (Engine engine : List.of(Engine.KERNEL, Engine.ND4J)) {
      double[] sum = TestRows.clippedSum(engine, rows, labels, loss, classes, 1, weights);
      assertThat(MathArrays.distance(sum, reference))
          .isLessThan(1e-5 * MathArrays.distance(reference, new double[reference.length]));
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void manyEqualRows_addUpToFiveDigits(Engine engine) {
    int rows = 200_000;
    float[][] row = new float[rows][];
    Arrays.fill(row, new float[] {0.1f, 0.2f, 0.3f});
    int[] labels = new int[rows];
    double[] sum = TestRows.clippedSum(engine, row, labels, SOFTMAX, 3, 10, new double[9]);
    for (int j = 0; j < 3; j++) {
      double x = row[0][j];
      assertThat(sum[3 * j]).isCloseTo(-2.0 / 3 * x * rows, within(1e-5 * x * rows));
      assertThat(sum[3 * j + 1]).isCloseTo(x / 3 * rows, within(1e-5 * x / 3 * rows));
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void rowsThatAreNoNumbers_addNothing(Engine engine) {
    float[][] rows = {
      {1, 2}, {Float.NaN, 1}, {1, Float.POSITIVE_INFINITY}, {0, 0}, {Float.NEGATIVE_INFINITY, 0}
    };
    int[] labels = {0, 1, 1, 1, 0};
    double[] weights = {0.1, -0.2, 0.3, 0.4};
    double[] alone =
        TestRows.clippedSum(engine, new float[][] {rows[0]}, labels, SOFTMAX, 2, 1, weights);
    assertThat(TestRows.clippedSum(engine, rows, labels, SOFTMAX, 2, 1, weights)).isEqualTo(alone);
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void labelsThatAreNoClass_addNothing(Engine engine) {
    float[][] rows = {{1, 2}, {3, 4}};
    assertThat(TestRows.clippedSum(engine, rows, new int[] {-1, 2}, SOFTMAX, 2, 1, new double[4]))
        .containsOnly(0);
  }

  /** Logits may then be no numbers, in float32 sooner than in double. */
  @ParameterizedTest
  @ValueSource(doubles = {1e39, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NaN})
  void weightsThatOverflow_neverThrowNorPassTheClipNorm(double weight) {
    double[] weights = {weight, -weight, weight, weight};
    for (Engine engine : Engine.values()) {
      double[] sum =
          TestRows.clippedSum(
              engine, new float[][] {{1, 2}}, new int[] {1}, SOFTMAX, 2, 1, weights);
      assertThat(Math.hypot(Math.hypot(sum[0], sum[1]), Math.hypot(sum[2], sum[3])))
          .isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void noRows_addUpToZero(Engine engine) {
    PrivateRows none = new PrivateRows(new RowBlocks(3, List.of()));
    double[] sum = {1, 2, 3, 4, 5, 6};
    try (ClippedSum clipped = engine.open(none, SOFTMAX, 2, ClipNorm.of(1))) {
      clipped.compute(new double[6], sum);
    }
    assertThat(sum).containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void theSameQuestion_hasTheSameAnswerBitForBit(Engine engine) {
    SplittableRandom random = new SplittableRandom(3);
    float[][] rows = TestRows.normalRows(random, 5000, 50);
    int[] labels = TestRows.labels(random, rows.length, 4);
    double[] weights = TestRows.weights(random, 200);
    ClippedSums inThisOrder = engine.sums(RowOrders.seeded(1));
    ClippedSums again = engine.sums(RowOrders.seeded(1));
    assertThat(TestRows.clippedSum(inThisOrder, rows, labels, SOFTMAX, 4, 1, weights))
        .isEqualTo(TestRows.clippedSum(again, rows, labels, SOFTMAX, 4, 1, weights));
  }

  @Test
  void nd4j_isNotLoadedForTheReferenceEngine() throws IOException, InterruptedException {
    assertThat(SecondJvm.run(List.of("-Xlog:class+load"), OpenReference.class))
        .anyMatch(line -> line.contains("ReferenceClippedSum"))
        .noneMatch(line -> line.contains("org.nd4j.") || line.contains("org.bytedeco."));
  }

  private static void scale(float[] row, double factor) {
    for (int j = 0; j < row.length; j++) {
      row[j] *= (float) factor;
    }
  }

  /** Computes one sum with the reference engine. */
  static final class OpenReference {
    private OpenReference() {}

    public static void main(String[] args) {
      TestRows.clippedSum(
          Engine.REFERENCE, new float[][] {{1}}, new int[] {1}, SOFTMAX, 2, 1, new double[2]);
    }
  }
}
