package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.NoiseMultiplier;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MechanismTest {
  private static final Gaussian GAUSSIAN = new Gaussian(NoiseMultiplier.of(0.1), 2, 100);

  @Property
  void aGaussian_isReadBackExactly(
      @ForAll @DoubleRange(min = 0.01, max = 1e6) double sigma,
      @ForAll @DoubleRange(min = 0.01, max = 1e6) double sensitivity,
      @ForAll @LongRange(min = 1) long count) {
    // Thirds have all the digits that a double has.
    Mechanism written = new Gaussian(NoiseMultiplier.of(sigma / 3), sensitivity / 3, count);
    assertThat(Mechanism.of(written.name(), written.parameters())).isEqualTo(written);
  }

  /** Stored ledgers are read by these names for ever. */
  @Test
  void aGaussian_isKeptUnderNamesThatDoNotChange() {
    assertThat(GAUSSIAN.name()).isEqualTo("gaussian");
    assertThat(GAUSSIAN.parameters())
        .containsExactly(
            Map.entry("sigma", 0.1), Map.entry("sensitivity", 2.0), Map.entry("count", 100L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sigma", "sensitivity", "count"})
  void aMissingParameter_isRefused(String key) {
    Map<String, Number> parameters = new HashMap<>(GAUSSIAN.parameters());
    parameters.remove(key);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("gaussian", parameters))
        .withMessageContaining("gaussian has the parameters [sigma, sensitivity, count]; had ");
  }

  @Test
  void anUnknownParameter_isRefused() {
    Map<String, Number> parameters = new HashMap<>(GAUSSIAN.parameters());
    parameters.put("rate", 0.1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("gaussian", parameters))
        .withMessageContaining("rate");
  }

  @Test
  void aParameterOutOfRange_isRefused() {
    Map<String, Number> parameters = new HashMap<>(GAUSSIAN.parameters());
    parameters.put("sigma", 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("gaussian", parameters))
        .withMessageContaining("sigma");
  }

  @ParameterizedTest
  @ValueSource(doubles = {2.5, 1e300, Double.NaN})
  void aCountThatIsNotWhole_isRefused(double count) {
    Map<String, Number> parameters = new HashMap<>(GAUSSIAN.parameters());
    parameters.put("count", count);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("gaussian", parameters))
        .withMessage("count must be a whole number; was " + count);
  }

  @Test
  void anUnknownName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("gauss", GAUSSIAN.parameters()))
        .withMessage("unknown mechanism 'gauss'");
  }
}
