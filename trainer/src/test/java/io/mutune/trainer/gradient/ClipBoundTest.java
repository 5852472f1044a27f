package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.Effort;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one row adds, measured exactly: the sum over that row alone, squared in BigDecimal. */
class ClipBoundTest {
  private static final double[] SIZES = {1e-30, 1e-3, 1, 1.0000001, 1e6, 1e18, 1e37};
  private static final double[] CLIPS = {1e-30, 0.1, 1, 3, 1e30};

  /**
   * The sum at the end of the proof in docs/soundness.md: blocks, grid, doubles, the factor's two
   * roundings. What is measured is far less, so nothing else would tell of larger blocks.
   */
  @Test
  void theMargin_coversWhatTheProofNeedsForItsBlocks() {
    double rounding = 0x1p-24;
    double blocks = Math.pow(BlockKernel.ROWS + 2, 2) * rounding;
    double doubles = Math.scalb((double) Integer.MAX_VALUE, -51);
    double factor = 2 * rounding + rounding * rounding + 1e-9;
    assertThat(blocks + BlockSums.GRID_ERROR + doubles + factor)
        .isLessThan(ClipNorm.MARGIN)
        .isGreaterThan(0.9 * ClipNorm.MARGIN);
  }

  /** Directions of so many features on a grid, pieces of 10^9 rows, and all else. */
  @Test
  void theMargin_coversWhatNd4jNeeds() {
    double grid = Math.sqrt(RowForm.MAX_FEATURES) * 0x1p-25;
    assertThat(grid + 1e9 * 2.3e-13 + 3e-7).isLessThan(ClipNorm.MARGIN);
  }

  /** Directions whose entries are all rounded up, in one of the lengths or another. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void longRowsOfEqualFeatures_stayWithinTheClipNorm(Engine engine) {
    for (int length = 65_535; length > 50_000; length -= 817) {
      float[] row = new float[length];
      Arrays.fill(row, 1);
      assertBounded(engine, row, new LogisticLoss(), 2, 1, new double[length]);
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void randomRows_stayWithinTheClipNormAfterRounding(Engine engine) {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 40; round++) {
      for (double size : SIZES) {
        float[] row = TestRows.normalRows(random, 1, 1 + random.nextInt(300))[0];
        for (int j = 0; j < row.length; j++) {
          row[j] *= (float) size;
        }
        double clip = CLIPS[round % CLIPS.length];
        double[] weights = TestRows.weights(random, row.length * 3);
        assertBounded(engine, row, new SoftmaxLoss(), 3, clip, weights);
      }
    }
  }

  /**
   * One bit above a power of two, so that every rounding of direction and residual is a large one.
   */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void rowsThatRoundBadly_stayWithinTheClipNorm(Engine engine) {
    for (int length = 1; length <= 2000; length += Effort.of(5 * 37, 37)) {
      float[] row = new float[length];
      for (int j = 0; j < length; j++) {
        row[j] = Math.nextUp((float) (1 << (j % 3)));
      }
      for (double clip : CLIPS) {
        assertBounded(engine, row, new LogisticLoss(), 2, clip, new double[length]);
        assertBounded(engine, row, new SoftmaxLoss(), 7, clip, new double[length * 7]);
      }
    }
  }

  /** Clipped, not merely bounded: a row beyond C adds C less the margin, and 1e-6 for float32. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void aRowBeyondTheClipNorm_addsAllOfIt(Engine engine) {
    double[] sum =
        TestRows.clippedSum(
            engine,
            new float[][] {{3e20f, 4e20f}},
            new int[] {1},
            new LogisticLoss(),
            2,
            2,
            new double[2]);
    double least = 1 - ClipNorm.MARGIN - 1e-6;
    assertThat(sum[0]).isBetween(-1.2, -1.2 * least);
    assertThat(sum[1]).isBetween(-1.6, -1.6 * least);
  }

  /**
   * Of two classes the kernel computes one column, at the difference of the weights, which may pass
   * all floats or all doubles. The margin has to hold for both columns together.
   */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void ofTwoClasses_bothColumnsTogetherStayWithinTheClipNorm_howeverFarApartTheWeights(
      Engine engine) {
    double[] extremes = {0, 1e-300, 1, 1e30, 3e38, 1e300, Double.MAX_VALUE};
    SplittableRandom random = new SplittableRandom(2);
    for (double extreme : extremes) {
      for (double size : SIZES) {
        float[] row = TestRows.normalRows(random, 1, 1 + random.nextInt(50))[0];
        double[] weights = new double[row.length * 2];
        for (int j = 0; j < row.length; j++) {
          row[j] *= (float) size;
          weights[2 * j] = random.nextBoolean() ? extreme : -extreme;
          weights[2 * j + 1] = -weights[2 * j];
        }
        for (double clip : CLIPS) {
          assertBounded(engine, row, new SoftmaxLoss(), 2, clip, weights);
        }
      }
    }
  }

  /** Rows that have no gradient add nothing, among rows that have one, at any weights. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void ofTwoClasses_rowsWithoutAGradientAddNothing(Engine engine) {
    float[] good = {0.5f, -2};
    float[][] bad = {
      {Float.NaN, 1}, {Float.POSITIVE_INFINITY, 1}, {0, 0}, {1, 1}, {3e38f, Float.NEGATIVE_INFINITY}
    };
    for (double size : new double[] {0, 1, 1e38, 1e308}) {
      double[] weights = {size, -size, 0.25, -size};
      double[] alone =
          TestRows.clippedSum(
              engine, new float[][] {good}, new int[] {1}, new SoftmaxLoss(), 2, 0.1, weights);
      float[][] rows = {bad[0], bad[1], good, bad[2], bad[3], bad[4]};
      int[] labels = {0, 1, 1, 0, -1, 0};
      double[] together =
          TestRows.clippedSum(engine, rows, labels, new SoftmaxLoss(), 2, 0.1, weights);
      assertThat(together).containsExactly(alone);
    }
  }

  @Test
  void factor_ofZeroNormIsOneAndOfNoNumberIsZero() {
    ClipNorm clip = ClipNorm.of(1);
    assertThat(clip.factor(0)).isEqualTo(1);
    assertThat(clip.factor(0.5)).isEqualTo(1);
    assertThat(clip.factor(Double.NaN)).isZero();
    assertThat(clip.factor(Double.POSITIVE_INFINITY)).isZero();
  }

  private static void assertBounded(
      Engine engine, float[] row, Loss loss, int classes, double clip, double[] weights) {
    double[] sum =
        TestRows.clippedSum(
            engine, new float[][] {row}, new int[] {1}, loss, classes, clip, weights);
    BigDecimal squares = BigDecimal.ZERO;
    for (double value : sum) {
      squares = squares.add(new BigDecimal(value).pow(2));
    }
    assertThat(squares).isLessThanOrEqualTo(new BigDecimal(clip).pow(2));
  }
}
