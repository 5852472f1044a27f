package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
  @Test
  void bounds_becomeZeroAndOne() {
    float[] row = {0, 51, 255};
    new Scale(0, 255).apply(row, 0, 3);
    assertThat(row).containsExactly(0f, 0.2f, 1f);
  }

  @Test
  void values_outsideTheBounds_areClamped() {
    float[] row = {-1e30f, -1, 11, Float.MAX_VALUE};
    new Scale(0, 10).apply(row, 0, 4);
    assertThat(row).containsExactly(0f, 0f, 1f, 1f);
  }

  @Test
  void elements_outsideTheRow_areLeftAlone() {
    float[] rows = {5, 5, 5, 5};
    new Scale(0, 10).apply(rows, 1, 2);
    assertThat(rows).containsExactly(5f, 0.5f, 0.5f, 5f);
  }

  @Property
  boolean result_isAlwaysFromZeroToOne(@ForAll float value) {
    float[] row = {value};
    new Scale(-3, 7.5).apply(row, 0, 1);
    return row[0] >= 0 && row[0] <= 1;
  }

  @Test
  void clamps_tellsOfValuesBeyondTheBoundsOnly() {
    Scale scale = new Scale(0, 1);
    assertThat(scale.clamps(0) || scale.clamps(1)).isFalse();
    assertThat(scale.clamps(-0.5f) && scale.clamps(1.5f)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "NaN, 1", "0, NaN", "0, Infinity", "-1e308, 1e308"})
  void bounds_withoutAFiniteWidth_areRefused(double min, double max) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scale(min, max))
        .withMessageContaining("min below max");
  }
}
