package io.mutune.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sensitivity that is charged, measured on whole sums: taking a row out moves all later rows,
 * so every partial sum is rounded otherwise. Products in float32 fail this (1.0005·C at 4
 * features).
 */
class NeighbourSumTest {
  private static final int ROWS = 60_000;
  private static final double CLIP = 1;

  @ParameterizedTest
  @EnumSource(Engine.class)
  void sumsOfNeighbours_areWithinTheClipNorm_howeverManyRowsMove(Engine engine) {
    for (int features : new int[] {1, 2, 4}) {
      SplittableRandom random = new SplittableRandom(features);
      float[][] rows = new float[ROWS][features];
      for (float[] row : rows) {
        for (int j = 0; j < features; j++) {
          row[j] = (float) (5 + random.nextDouble());
        }
      }
      int[] labels = new int[ROWS];
      double[] weights = new double[features];
      double[] all = sum(engine, rows, labels, weights);
      double[] less =
          sum(
              engine,
              Arrays.copyOfRange(rows, 1, ROWS),
              Arrays.copyOfRange(labels, 1, ROWS),
              weights);
      double squares = 0;
      for (int j = 0; j < features; j++) {
        squares += (all[j] - less[j]) * (all[j] - less[j]);
      }
      assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(CLIP).isGreaterThan(0.99 * CLIP);
    }
  }

  private static double[] sum(Engine engine, float[][] rows, int[] labels, double[] weights) {
    return Problem.clippedSum(engine, rows, labels, new LogisticLoss(), 2, CLIP, weights);
  }
}
