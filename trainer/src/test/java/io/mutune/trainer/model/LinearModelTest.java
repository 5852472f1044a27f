package io.mutune.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LinearModelTest {
  @Test
  void manyLogits_predictTheGreatestAndTheFirstOfEquals() {
    LinearModel model = new LinearModel(2, 3, new double[] {1, 0, 0, 0, 1, 1});
    float[] rows = {2, 1, 1, 2};
    assertThat(model.predict(rows, 0)).isZero();
    assertThat(model.predict(rows, 2)).isEqualTo(1);
  }

  @Test
  void oneLogit_predictsClassOneAboveZero() {
    LinearModel model = new LinearModel(1, 1, new double[] {2});
    float[] rows = {1, 0, -1};
    assertThat(model.predict(rows, 0)).isEqualTo(1);
    assertThat(model.predict(rows, 1)).isZero();
    assertThat(model.predict(rows, 2)).isZero();
  }

  @Test
  void weights_areCopiedInAndOut() {
    double[] weights = {1};
    LinearModel model = new LinearModel(1, 1, weights);
    weights[0] = 2;
    model.weights()[0] = 3;
    assertThat(model.weights()).containsExactly(1);
    assertThat(LinearModel.zero(2, 3).weights()).hasSize(6).containsOnly(0);
  }

  @Test
  void weightsOfAnotherShape_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LinearModel(2, 3, new double[5]))
        .withMessage("5 weights do not make a [2, 3] model");
  }
}
