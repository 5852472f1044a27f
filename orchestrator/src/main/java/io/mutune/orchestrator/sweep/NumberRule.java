package io.mutune.orchestrator.sweep;

import java.util.function.DoublePredicate;

/**
 * What a number must satisfy.
 *
 * @param text completes "must be …"
 */
record NumberRule(String text, DoublePredicate test) {
  static final NumberRule ABOVE_ZERO = above(0);

  boolean holds(double value) {
    return Double.isFinite(value) && test.test(value);
  }

  static NumberRule above(double bound) {
    return new NumberRule("above " + plain(bound), v -> v > bound);
  }

  /** At least least, and below most. */
  static NumberRule halfOpen(double least, double most) {
    return new NumberRule(
        "at least " + plain(least) + " and below " + plain(most), v -> v >= least && v < most);
  }

  static NumberRule any() {
    return new NumberRule("finite", v -> true);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
