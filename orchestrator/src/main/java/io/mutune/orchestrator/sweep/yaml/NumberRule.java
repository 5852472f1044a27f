package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.PrintedNumber;
import java.util.function.DoublePredicate;

/**
 * What a number must satisfy.
 *
 * @param text completes "must be …"
 */
record NumberRule(String text, DoublePredicate test) {
  /** Wide enough for any study, narrow enough that no σ, radius or rate leaves the doubles. */
  static final NumberRule EPSILON = fromTo(1e-6, 1e6);

  /** Of a learning rate, a radius or a ν; the same reason. */
  static final NumberRule HYPERPARAMETER = fromTo(1e-9, 1e9);

  boolean holds(double value) {
    return Double.isFinite(value) && test.test(value);
  }

  /** Both ends included. */
  static NumberRule fromTo(double least, double most) {
    return new NumberRule(
        "from " + plain(least) + " to " + plain(most), v -> v >= least && v <= most);
  }

  /** At least least, and below most. */
  static NumberRule halfOpen(double least, double most) {
    return new NumberRule(
        "at least " + plain(least) + " and below " + plain(most), v -> v >= least && v < most);
  }

  static NumberRule whole(long least, long most) {
    return new NumberRule(
        least == most ? Long.toString(least) : "a whole number from " + least + " to " + most,
        v -> v == Math.rint(v) && v >= least && v <= most);
  }

  private static String plain(double value) {
    return PrintedNumber.up(value, 6);
  }
}
