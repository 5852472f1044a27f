package io.mutune.trainer.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.noise.RowOrders;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;

/** Rows that count by their class. */
class WeightedLossTest {
  private static final ClassWeights RARE_THIRD = ClassWeights.of(List.of(1.0, 4.0, 8.0));
  private static final Loss WEIGHTED = new WeightedLoss(new SoftmaxLoss(), RARE_THIRD);

  @Test
  void onlyTheRatiosMatter_andTheHeaviestCountsInFull() {
    assertThat(RARE_THIRD.factors()).containsExactly(0.125, 0.5, 1.0);
    assertThat(ClassWeights.of(List.of(1e-9, 4e-9, 8e-9))).isEqualTo(RARE_THIRD);
    assertThat(ClassWeights.of(List.of(7.0, 7.0)).areEqual()).isTrue();
    assertThat(RARE_THIRD.areEqual()).isFalse();
  }

  @Test
  void weightsThatAreNone_areRefused() {
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-10}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ClassWeights.of(List.of(1.0, wrong)))
          .withMessageContaining("a class weight must be from 1e-9 to 1e9");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new ClassWeights(List.of(0.5, 2.0)));
    assertThatIllegalArgumentException().isThrownBy(() -> WEIGHTED.columns(2));
    assertThatIllegalArgumentException().isThrownBy(() -> new WeightedLoss(WEIGHTED, RARE_THIRD));
  }

  /** Values and residuals are products with one factor, so exact where that is a power of two. */
  @Test
  void aRowsLossAndSlope_areTheUnweightedOnesTimesItsFactor() {
    SplittableRandom random = new SplittableRandom(3);
    Loss whole = new SoftmaxLoss();
    for (int label = 0; label < 3; label++) {
      double factor = RARE_THIRD.factors().get(label);
      double[] logits = TestRows.weights(random, 3);
      double[] residual = logits.clone();
      double[] unweighted = logits.clone();
      assertThat(WEIGHTED.value(logits, label)).isEqualTo(factor * whole.value(logits, label));
      WEIGHTED.toResidual(residual, label);
      whole.toResidual(unweighted, label);
      for (int c = 0; c < 3; c++) {
        assertThat(residual[c]).isEqualTo(factor * unweighted[c]);
      }
    }
    assertThat(WEIGHTED.key()).isEqualTo("softmax");
    assertThat(WEIGHTED.admits(3, 3)).isFalse();
    assertThat(WEIGHTED.stableLearningRate(3, 0.1, 0))
        .isEqualTo(whole.stableLearningRate(3, 0.1, 0));
  }

  /**
   * People of three rows of several classes, some cut and some not: every engine weighs a row
   * before a person's sum is clipped, and one person more moves the sum by at most C. Engines agree
   * to 1e-5.
   */
  @Test
  void people_areClippedAfterTheirRowsAreWeighted() {
    SplittableRandom random = new SplittableRandom(4);
    float[][] rows = TestRows.normalRows(random, 300, 5);
    int[] labels = TestRows.labels(random, rows.length, 3);
    int[] owners = IntStream.range(0, rows.length).map(i -> i / 3).toArray();
    int[] withoutLast = owners.clone();
    for (int i = rows.length - 3; i < rows.length; i++) {
      withoutLast[i] = RowUnits.NONE;
    }
    double[] weights = TestRows.weights(random, 15);
    double[] reference = sum(Engine.REFERENCE, rows, labels, owners, weights);
    for (Engine engine : Engine.values()) {
      ClippedSums sums = engine.sums(RowOrders.seeded(1));
      double[] all = sum(sums, rows, labels, owners, weights);
      double[] less = sum(sums, rows, labels, withoutLast, weights);
      assertThat(all).containsExactly(reference, within(1e-4));
      assertThat(MathArrays.distance(all, less)).isLessThanOrEqualTo(1).isGreaterThan(0.1);
    }
  }

  private static double[] sum(
      ClippedSums engine, float[][] rows, int[] labels, int[] owners, double[] weights) {
    double[] sum = new double[weights.length];
    PrivateRows data =
        new PrivateRows(TestRows.blocks(rows, labels).withUnits(RowUnits.of(owners)));
    try (ClippedSum clipped = engine.open(data, WEIGHTED, 3, ClipNorm.of(1))) {
      clipped.compute(weights, sum);
    }
    return sum;
  }
}
