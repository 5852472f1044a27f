package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.model.LinearModel;
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
}
