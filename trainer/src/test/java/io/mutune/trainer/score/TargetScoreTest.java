package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Scores of real targets: what a row earns, and how far one row moves the sum. */
class TargetScoreTest {
  private static final LinearModel IDENTITY = new LinearModel(1, 1, new double[] {1});

  /** The units of 2^-20 in which a row's credit is rounded down. */
  private static final double UNIT = Math.scalb(1.0, -20);

  @Test
  void score_isOneLessTheMeanErrorOverTheRange() throws Exception {
    // Errors 0.5, 0.5 and 2 (predictions held within ±1) of a width of 2.
    RowBlocks rows = rows(new float[] {0.5f, -0.25f, 7}, 0, 0.25, -1);
    assertThat(Metric.ACCURACY.of(IDENTITY, new SquaredLoss(2, true), new PublicRows(rows)))
        .isCloseTo(1 - (0.25 + 0.25 + 1) / 3, within(UNIT));
  }

  @Test
  void aRowNeverEarnsLessThanNothingNorMoreThanOne() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    float[] special = {
      Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MAX_VALUE, 0
    };
    for (float x : special) {
      double credit = credit(rows(new float[] {x}, 2 * random.nextDouble() - 1));
      assertThat(credit).isBetween(0.0, 1.0);
    }
  }

  @Test
  void oneRowMore_changesTheSumByAtMostOne_exactly() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    float[] values = new float[3000];
    double[] targets = random.doubles(values.length, -1, 1).toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (3 * random.nextDouble() - 1.5);
    }
    double before = 0;
    for (int n = 1; n <= values.length; n += 7) {
      double less = credit(rows(values, n - 1, targets));
      double all = credit(rows(values, n, targets));
      assertThat(all - less).isBetween(0.0, 1.0);
      assertThat(all).isGreaterThanOrEqualTo(before);
      before = all;
    }
  }

  private static double credit(RowBlocks rows) throws UnsuitableRowsException {
    return CountSum.of(Counts.closeness(), IDENTITY, rows)[0];
  }

  private static RowBlocks rows(float[] values, double... targets) {
    return rows(values, values.length, targets);
  }

  private static RowBlocks rows(float[] values, int count, double[] targets) {
    int[] labels = Arrays.stream(targets, 0, count).mapToInt(TargetRange::code).toArray();
    return new RowBlocks(
        1, List.of(new RowBlocks.Block(Arrays.copyOf(values, count), labels)), true);
  }
}
