package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.score.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicTrainingTest {
  private static final PublicRows ROWS = new PublicRows(Fixture.easyRows(300, 5));

  private static PublicTraining training(double weightDecay, double tolerance, int maxSteps) {
    return new PublicTraining(
        new PublicTraining.Settings(
            new SoftmaxLoss(), Fixture.CLASSES, weightDecay, tolerance, maxSteps));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.01, 1e-4})
  void whereItConverges_theGradientIsNearlyZero(double weightDecay) {
    PublicTraining.Outcome outcome =
        training(weightDecay, 1e-6, 20_000).train(ROWS, Engine.REFERENCE, () -> false);
    assertThat(outcome.converged()).isTrue();
    double[] weights = outcome.model().weights();
    double[] sum = new double[weights.length];
    double[] atZero = new double[weights.length];
    PublicGradients gradients = new PublicGradients(ROWS, new SoftmaxLoss(), Fixture.CLASSES);
    gradients.compute(new double[weights.length], atZero);
    gradients.compute(weights, sum);
    double left = 0;
    double first = 0;
    for (int k = 0; k < weights.length; k++) {
      double g = sum[k] / 300 + weightDecay * weights[k];
      left += g * g;
      first += atZero[k] / 300 * (atZero[k] / 300);
    }
    // Two orders of summation.
    assertThat(Math.sqrt(left)).isLessThanOrEqualTo(1.001e-6 * Math.sqrt(first));
  }

  /** One row a class with x = ±1: at the minimum s(−w) = λw, and λ is chosen for w = 0.7. */
  @Test
  void aProblemWithAKnownMinimum_isSolved() {
    PublicRows rows = new PublicRows(TestRows.blocks(new float[][] {{1}, {-1}}, new int[] {1, 0}));
    double weightDecay = 1 / (1 + Math.exp(0.7)) / 0.7;
    PublicTraining.Settings settings =
        new PublicTraining.Settings(new LogisticLoss(), 2, weightDecay, 1e-10, 1000);
    PublicTraining training = new PublicTraining(settings);
    assertThat(training.train(rows, () -> false).model().weights()[0]).isCloseTo(0.7, within(1e-9));
    assertThat(training.train(rows, Engine.REFERENCE, () -> false).model().weights()[0])
        .isCloseTo(0.7, within(1e-9));
  }

  @Test
  void rowsThatAreEasy_areLearned() throws Exception {
    PublicTraining.Outcome outcome = training(1e-4, 1e-4, 5000).train(ROWS, () -> false);
    assertThat(Metric.ACCURACY.of(outcome.model(), new SoftmaxLoss(), ROWS)).isGreaterThan(0.95);
  }

  @ParameterizedTest
  @EnumSource(value = Engine.class, mode = EnumSource.Mode.EXCLUDE, names = "KERNEL")
  void trainingTwice_givesTheSameBits(Engine engine) {
    PublicTraining training = training(0.01, 1e-4, 500);
    PublicTraining.Outcome once = training.train(ROWS, engine, () -> false);
    assertThat(once.steps()).isPositive();
    assertThat(training.train(ROWS, engine, () -> false).model().weights())
        .isEqualTo(once.model().weights());
  }

  /** Its grid is a part of the clip norm: in units of 1e30 every gradient is 0. */
  @Test
  void theKernel_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> training(0.01, 1e-4, 500).train(ROWS, Engine.KERNEL, () -> false));
  }

  @Test
  void tooFewSteps_areSaidToBe() {
    PublicTraining.Outcome outcome = training(1e-4, 1e-9, 3).train(ROWS, () -> false);
    assertThat(outcome.converged()).isFalse();
    assertThat(outcome.steps()).isEqualTo(3);
  }

  @Test
  void noRows_areRefused() {
    PublicRows none = new PublicRows(new RowBlocks(5, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> training(0.1, 0.1, 1).train(none, () -> false))
        .withMessage("the public rows have no row of class index 0");
  }

  @Test
  void settingsOutOfRange_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> training(-1, 0.1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> training(Double.NaN, 0.1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> training(1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> training(1, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> training(1, 0.1, 0));
  }
}
