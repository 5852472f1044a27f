package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.Condition;

/** How close results have to come to the reference tables, as their notes set it. */
final class Tolerance {
  private static final double RELATIVE = 1e-10;
  private static final double ABSOLUTE = 1e-14;

  private Tolerance() {}

  /** That the truth is not above one end nor below the other, but for the table's 17th digit. */
  static void encloses(double lower, double upper, double truth) {
    assertThat(upper).isGreaterThanOrEqualTo(truth * (1 - 0x1p-53));
    assertThat(lower).isLessThanOrEqualTo(truth * (1 + 0x1p-53));
  }

  /** Within 1e-10 relatively, or 1e-14 absolutely, which decides near 0 alone. */
  static Condition<Double> closeTo(double expected) {
    return new Condition<>(
        actual -> Math.abs(actual - expected) <= Math.max(RELATIVE * Math.abs(expected), ABSOLUTE),
        "close to %s",
        expected);
  }
}
