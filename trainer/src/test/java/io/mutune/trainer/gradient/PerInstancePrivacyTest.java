package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SquaredLoss;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PerInstancePrivacyTest {
  private static final double MARGIN = ClipNorm.MARGIN;
  private static final NoiseMultiplier SIGMA = NoiseMultiplier.of(4);

  private static double[] mu(
      float[][] rows, int[] labels, Loss loss, double tau, double[]... steps) {
    PerInstancePrivacy privacy =
        new PerInstancePrivacy(new PrivateRows(TestRows.blocks(rows, labels)), loss, 2);
    for (double[] weights : steps) {
      privacy.add(weights, ClipNorm.of(tau));
    }
    return privacy.mu(SIGMA);
  }

  /**
   * At zero weights the logistic residual is ½, so gradients have norms 0.25, 5 and 0, and each
   * step has the margin for rounding beside.
   */
  @Test
  void aRowPaysForTheLengthOfItsClippedGradients() {
    float[][] rows = {{0.5f, 0}, {6, 8}, {0, 0}};
    double[] zero = new double[2];
    double[] mu = mu(rows, new int[] {0, 1, 0}, new LogisticLoss(), 1, zero, zero, zero);
    assertThat(mu[0]).isCloseTo(Math.sqrt(3) * (0.25 + MARGIN) / 4, within(1e-9));
    assertThat(mu[1]).isCloseTo(Math.sqrt(3) / 4, within(1e-9));
    assertThat(mu[2]).isCloseTo(Math.sqrt(3) * MARGIN / 4, within(1e-12));
  }

  @Test
  void noRowPaysMoreThanTheCharge() {
    SplittableRandom random = new SplittableRandom(2);
    float[][] rows = TestRows.normalRows(random, 500, 6);
    int[] labels = TestRows.labels(random, 500, 2);
    for (Loss loss : new Loss[] {new HingeLoss(), new SquaredLoss(2, false)}) {
      double[][] steps = new double[20][];
      for (int t = 0; t < steps.length; t++) {
        steps[t] = TestRows.weights(random, 6);
      }
      double charge = GaussianDp.ofGaussian(SIGMA, 1, 20).mu().value();
      double greatest = 0;
      for (double value : mu(rows, labels, loss, 0.5, steps)) {
        assertThat(value).isBetween(0.0, charge * (1 + 1e-9));
        greatest = Math.max(greatest, value);
      }
      assertThat(greatest).isGreaterThan(0.9 * charge);
    }
  }

  private static double[] muOfPeople(
      float[][] rows, int[] labels, int[] people, double... weights) {
    PerInstancePrivacy privacy =
        new PerInstancePrivacy(
            new PrivateRows(TestRows.blocks(rows, labels).withUnits(RowUnits.of(people))),
            new LogisticLoss(),
            2);
    privacy.add(weights, ClipNorm.of(1));
    return privacy.mu(SIGMA);
  }

  /**
   * Residuals are ½ in size: rows that cancel, two that add up to 0.5, one whose row has no end and
   * 0.25 beside it, three that are clipped, and a row of nobody.
   */
  @Test
  void aPersonPaysForTheClippedSumOfTheirGradients() {
    float[][] rows = {
      {0.5f, 0}, {0, 0.5f}, {0.5f, 0}, {0, 0.5f}, {Float.NaN, 0}, {0.5f, 0}, {6, 0}, {6, 8}, {9, 9}
    };
    int[] labels = {0, 0, 1, 0, 0, 0, 0, 0, 0};
    double[] mu = muOfPeople(rows, labels, new int[] {0, 1, 0, 1, 2, 2, 3, 3, RowUnits.NONE}, 0, 0);
    double margin = ClipNorm.MARGIN_OF_UNITS;
    assertThat(mu).hasSize(4);
    assertThat(mu[0]).isCloseTo(margin / 4, within(1e-12));
    assertThat(mu[1]).isCloseTo((0.5 + margin) / 4, within(1e-9));
    assertThat(mu[2]).isCloseTo((0.25 + margin) / 4, within(1e-9));
    assertThat(mu[3]).isCloseTo(1 / 4.0, within(1e-9));
  }

  /** What a person pays in a step is at least by how much the sum moves without them. */
  @Test
  void whatAPersonCosts_isNoLessThanWhatTheirRowsMove() {
    SplittableRandom random = new SplittableRandom(4);
    float[][] rows = TestRows.normalRows(random, 60, 5);
    int[] labels = TestRows.labels(random, 60, 2);
    int[] people = new int[60];
    Arrays.setAll(people, row -> row / 6);
    double[] weights = TestRows.weights(random, 5);
    double[] mu = muOfPeople(rows, labels, people, weights);
    double[] all = sum(rows, labels, people, weights);
    for (int person = 0; person < 10; person++) {
      int[] without = people.clone();
      for (int row = 0; row < 60; row++) {
        without[row] = people[row] == person ? -1 : people[row] - (people[row] > person ? 1 : 0);
      }
      double[] others = sum(rows, labels, without, weights);
      double moved = 0;
      for (int w = 0; w < all.length; w++) {
        moved += (all[w] - others[w]) * (all[w] - others[w]);
      }
      assertThat(mu[person] * SIGMA.value())
          .isBetween(Math.sqrt(moved), Math.sqrt(moved) + ClipNorm.MARGIN_OF_UNITS + 1e-8);
    }
  }

  private static double[] sum(float[][] rows, int[] labels, int[] people, double[] weights) {
    double[] sum = new double[weights.length];
    PrivateRows given =
        new PrivateRows(TestRows.blocks(rows, labels).withUnits(RowUnits.of(people)));
    try (ClippedSum sums = Engine.REFERENCE.open(given, new LogisticLoss(), 2, ClipNorm.of(1))) {
      sums.compute(weights, sum);
    }
    return sum;
  }

  @Test
  void rowsThatAddNothing_payForRoundingAlone() {
    float[][] rows = {{Float.NaN, 1}, {1, Float.POSITIVE_INFINITY}, {1, 1}};
    double[] mu = mu(rows, new int[] {0, 1, 7}, new HingeLoss(), 1, new double[2]);
    for (double value : mu) {
      assertThat(value).isBetween(MARGIN / 4, MARGIN / 4 * (1 + 1e-8));
    }
  }
}
