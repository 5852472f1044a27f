package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LinearModel;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartWeightsTest {
  /** Rounding of a division by a norm. */
  private static final Offset<Double> OFF = within(1e-12);

  @Test
  void encodings_becomeColumnsOfLengthBeta() {
    LinearModel model = StartWeights.ofEncodings(new double[][] {{3, 4}, {0, -2}, {1, 0}}, 100);
    assertThat(model.features()).isEqualTo(2);
    assertThat(model.columns()).isEqualTo(3);
    assertThat(model.weights()).containsExactly(new double[] {60, 0, 100, 80, -100, 0}, OFF);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, Double.NaN, Double.POSITIVE_INFINITY})
  void encodingsWithoutADirection_areRefused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartWeights.ofEncodings(new double[][] {{1, 1}, {value, 0}}, 100))
        .withMessage("the encoding of class 1 has no direction among 2 features");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartWeights.ofEncodings(new double[][] {{1}, {2}}, value));
  }

  @Test
  void ofOneColumn_sayTheSameOfTwoClasses() {
    double[][] encodings = {{3, 4}, {0, -2}};
    assertThat(StartWeights.ofEncodings(encodings, 10, 2).weights())
        .isEqualTo(StartWeights.ofEncodings(encodings, 10).weights());
    LinearModel one = StartWeights.ofEncodings(encodings, 10, 1);
    assertThat(one.columns()).isEqualTo(1);
    assertThat(one.weights()).containsExactly(0 - 6, -10 - 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartWeights.ofEncodings(new double[][] {{1}, {2}, {3}}, 1, 1))
        .withMessageContaining("3 classes have no start of 1 columns");
  }

  @Test
  void encodingsOfAnotherWidthOrOfOneClass_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartWeights.ofEncodings(new double[][] {{1, 1}, {1}}, 100));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartWeights.ofEncodings(new double[][] {{1, 1}}, 100));
  }

  @Test
  void aStartOutsideTheBall_isRefused() {
    Restraint small = new Restraint(0, false, 0.01, Restraint.Schedule.CONSTANT, false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, MethodCases.start(), small))
        .withMessageContaining("lies outside the ball of radius 0.01");
  }

  @Test
  void theWidthThatAStartAsksFor_isToldBeforeTheCharge() {
    assertThat(
            MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, MethodCases.start(), Restraint.NONE)
                .features())
        .hasValue(MethodCase.FEATURES);
    assertThat(
            MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, Optional.empty(), Restraint.NONE)
                .features())
        .isEmpty();
  }

  /** All steps lost: the weights stood still, and so did their average. */
  @Test
  void theAverageOfARunThatLostEveryStep_isItsStart() {
    Training method =
        MethodCases.noisyGd(
            Adjacency.ADD_REMOVE, 9, MethodCases.start(), MethodCases.theorem3(1, 10));
    TrainingRun lost = Fixture.seeded().resumed(Optional.empty(), 9);
    double[] weights =
        method
            .train(Fixture.charged(method), Fixture.zeroRows(1, MethodCase.FEATURES), lost)
            .weights();
    assertThat(weights).containsExactly(MethodCases.start().orElseThrow().weights(), OFF);
  }

  @Test
  void aFreeStepAfterAnAverage_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NoisyGd(
                    "noisy-gd",
                    NoisyGradient.ofAllRows(ClipNorm.of(1)),
                    0,
                    true,
                    MethodCases.theorem3(1, 10),
                    Start.zero()))
        .withMessage("an average of the weights leaves no free step to take");
  }

  @Test
  void restraintsOutOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Restraint(-1, false, 1, Restraint.Schedule.CONSTANT, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Restraint(1, false, 0, Restraint.Schedule.CONSTANT, false));
  }
}
