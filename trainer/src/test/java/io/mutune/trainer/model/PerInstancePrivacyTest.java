package io.mutune.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.trainer.data.PrivateRows;
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

  @Test
  void rowsThatAddNothing_payForRoundingAlone() {
    float[][] rows = {{Float.NaN, 1}, {1, Float.POSITIVE_INFINITY}, {1, 1}};
    double[] mu = mu(rows, new int[] {0, 1, 7}, new HingeLoss(), 1, new double[2]);
    for (double value : mu) {
      assertThat(value).isBetween(MARGIN / 4, MARGIN / 4 * (1 + 1e-8));
    }
  }
}
