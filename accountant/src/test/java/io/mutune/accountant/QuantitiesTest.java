package io.mutune.accountant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @ValueSource(doubles = {-1e-300, Double.POSITIVE_INFINITY, Double.NaN})
  void anEpsilonOrMuThatIsNegativeOrInfinite_isRefused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Epsilon.of(value))
        .withMessage("epsilon must be finite and at least 0; was " + value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mu.of(value))
        .withMessage("mu must be finite and at least 0; was " + value);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.POSITIVE_INFINITY, Double.NaN})
  void noNoiseAtAll_isRefused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseMultiplier.of(value))
        .withMessage("the noise multiplier sigma must be finite and above 0; was " + value);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e-300, 1.0000000000000002, Double.NaN})
  void aDeltaThatIsNoProbability_isRefused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Delta.of(value))
        .withMessage("delta must be in [0, 1]; was " + value);
  }

  @ParameterizedTest
  @EnumSource
  void anAdjacency_isFoundByItsKey(Adjacency adjacency) {
    assertThat(Adjacency.ofKey(adjacency.key())).contains(adjacency);
  }

  @Test
  void replacingARow_takesOneAwayAndAddsAnother() {
    assertThat(Adjacency.ofKey("add-remove").orElseThrow().sumSensitivity()).isEqualTo(1);
    assertThat(Adjacency.ofKey("replace-one").orElseThrow().sumSensitivity()).isEqualTo(2);
    assertThat(Adjacency.ofKey("replace")).isEmpty();
  }
}
