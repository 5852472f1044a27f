package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class L2NormalizeTest {
  @Test
  void row_keepsItsDirection_andGetsNormOne() {
    float[] row = {3, 0, -4};
    new L2Normalize().apply(row, 0, 3);
    assertThat(row).containsExactly(0.6f, 0f, -0.8f);
  }

  @Test
  void rowOfZeros_staysOne() {
    float[] row = {0, -0f, 0};
    new L2Normalize().apply(row, 0, 3);
    assertThat(row).containsOnly(0f, -0f);
  }

  @Test
  void hugeAndSubnormalRows_areNormalizedToo() {
    for (float value : new float[] {Float.MAX_VALUE, Float.MIN_VALUE}) {
      float[] row = {value, -value, value, value};
      new L2Normalize().apply(row, 0, 4);
      assertThat(row).containsExactly(0.5f, -0.5f, 0.5f, 0.5f);
    }
  }

  @Test
  void neighbouringRows_areLeftAlone() {
    float[] rows = {9, 3, 4, 9};
    new L2Normalize().apply(rows, 1, 2);
    assertThat(rows).containsExactly(9f, 0.6f, 0.8f, 9f);
  }

  @Property
  void norm_isOneUpToRounding(@ForAll @Size(min = 1, max = 50) float[] row) {
    double before = norm(row);
    Assume.that(before > 0);
    new L2Normalize().apply(row, 0, row.length);
    // Each element is rounded once to float32: relative 2^-24, or less than 2^-149 where subnormal.
    assertThat(norm(row)).isCloseTo(1, within(Math.scalb(1.0, -23)));
  }

  private static double norm(float[] row) {
    double squares = 0;
    for (float value : row) {
      squares += (double) value * value;
    }
    return Math.sqrt(squares);
  }
}
