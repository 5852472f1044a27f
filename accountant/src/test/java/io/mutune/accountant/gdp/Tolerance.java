package io.mutune.accountant.gdp;

import org.assertj.core.api.Condition;

/** How close results have to come to the reference tables, as their notes set it. */
final class Tolerance {
  private static final double RELATIVE = 1e-10;
  private static final double ABSOLUTE = 1e-14;

  private Tolerance() {}

  /** Within 1e-10 relatively, or 1e-14 absolutely, which decides near 0 alone. */
  static Condition<Double> closeTo(double expected) {
    return new Condition<>(
        actual -> Math.abs(actual - expected) <= Math.max(RELATIVE * Math.abs(expected), ABSOLUTE),
        "close to %s",
        expected);
  }
}
