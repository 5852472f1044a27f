package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.ClassWeights;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.HuberHingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.loss.WeightedLoss;
import io.mutune.trainer.model.Logits;
import io.mutune.trainer.noise.RowOrders;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every loss has to keep for the charge to be true, whatever its engine. */
class LossConformanceTest {
  private static final double CLIP = 1;

  private record Case(Loss loss, int classes) {
    int[] labels(SplittableRandom random, int rows) {
      return classes == 0
          ? random.doubles(rows, -1, 1).mapToInt(TargetRange::code).toArray()
          : TestRows.labels(random, rows, classes);
    }

    int columns() {
      return loss.columns(classes);
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case(new SoftmaxLoss(), 5),
          new Case(new LogisticLoss(), 2),
          new Case(new HingeLoss(), 2),
          new Case(new HingeLoss(), 4),
          new Case(new HuberHingeLoss(0.5), 2),
          new Case(new HuberHingeLoss(0.1), 3),
          new Case(new SquaredLoss(2, false), 2),
          new Case(new SquaredLoss(1, false), 6),
          new Case(new SquaredLoss(2, true), 0),
          new Case(weighted(new SoftmaxLoss(), 30.0, 1.0, 2.0, 7.0, 0.5), 5),
          new Case(weighted(new SoftmaxLoss(), 3.0, 1.0), 2),
          new Case(weighted(new LogisticLoss(), 3.0, 1.0), 2),
          new Case(weighted(new HingeLoss(), 1.0, 0.1, 1.0, 0.3), 4),
          new Case(weighted(new SquaredLoss(2, false), 1.0, 1e-3), 2));

  private static Loss weighted(Loss loss, Double... weights) {
    return new WeightedLoss(loss, ClassWeights.of(List.of(weights)));
  }

  static Stream<Case> cases() {
    return CASES.stream();
  }

  static Stream<Arguments> casesAndEngines() {
    return CASES.stream()
        .flatMap(c -> Arrays.stream(Engine.values()).map(engine -> Arguments.of(c, engine)));
  }

  /** Float32 is off by about 1e-7 a product; 1e-5 is what is promised. */
  @ParameterizedTest
  @MethodSource("cases")
  void engines_agreeOnOneStep(Case c) {
    SplittableRandom random = new SplittableRandom(c.hashCode());
    float[][] rows = TestRows.normalRows(random, 5000, 37);
    int[] labels = c.labels(random, rows.length);
    double[] weights = TestRows.weights(random, 37 * c.columns());
    double[] reference = sum(c, Engine.REFERENCE, rows, labels, weights);
    double[] nd4j = sum(c, Engine.ND4J, rows, labels, weights);
    // A hinge's slope jumps, so one row in float32 may land on the other side: none does here.
    assertThat(MathArrays.distance(nd4j, reference)).isLessThan(1e-5 * EuclideanNorm.of(reference));
  }

  /**
   * Taking a row out moves all later ones, so that every partial sum is rounded otherwise. The
   * largest rows are there twice, so that a clip that bites is what is measured. Where rows have a
   * random order, it is the one that docs/soundness.md pairs with the other.
   */
  @ParameterizedTest
  @MethodSource("casesAndEngines")
  void sumsOfNeighbours_areWithinTheClipNorm(Case c, Engine engine) {
    for (int features : new int[] {1, 2, 4}) {
      SplittableRandom random = new SplittableRandom(features);
      float[][] rows = new float[30_000][features];
      for (float[] row : rows) {
        for (int j = 0; j < features; j++) {
          row[j] = (float) (5 + random.nextDouble());
        }
      }
      int[] labels = c.labels(random, rows.length);
      labels[0] = c.classes() == 0 ? TargetRange.ONE : 0;
      double[] weights = new double[features * c.columns()];
      int[] order = RowOrders.seeded(features).draw(rows.length);
      double[] all = sum(c, engine.sums(n -> order), rows, labels, weights);
      double[] less =
          sum(
              c,
              engine.sums(n -> NeighbourSumTest.without(order, 0)),
              Arrays.copyOfRange(rows, 1, rows.length),
              Arrays.copyOfRange(labels, 1, labels.length),
              weights);
      assertThat(MathArrays.distance(all, less))
          .isLessThanOrEqualTo(CLIP)
          .isGreaterThan(0.99 * CLIP);
    }
  }

  /** The gradient of one row, unclipped, against ‖x‖·‖r‖: both are the same sum of squares. */
  @ParameterizedTest
  @MethodSource("cases")
  void aRowsGradientNorm_isThatOfTheRowTimesItsResidual(Case c) {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 50; round++) {
      float[][] row = TestRows.normalRows(random, 1, 1 + random.nextInt(40));
      int[] label = c.labels(random, 1);
      double[] weights = TestRows.weights(random, row[0].length * c.columns());
      double[] residual = new double[c.columns()];
      Logits.compute(row[0], 0, weights, residual);
      c.loss().toResidual(residual, label[0]);
      double expected = EuclideanNorm.of(row[0], 0, row[0].length) * EuclideanNorm.of(residual);
      double[] gradient =
          TestRows.clippedSum(Engine.REFERENCE, row, label, c.loss(), c.classes(), 1e20, weights);
      double norm = EuclideanNorm.of(gradient);
      // Two square roots of sums of at most 240 squares, each rounded by 1.1e-16 relative.
      assertThat(Math.abs(norm - expected)).isLessThanOrEqualTo(1e-13 * expected);
    }
  }

  private static double[] sum(
      Case c, ClippedSums engine, float[][] rows, int[] labels, double[] weights) {
    return TestRows.clippedSum(engine, rows, labels, c.loss(), c.classes(), CLIP, weights);
  }
}
