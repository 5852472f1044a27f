package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;

/** The rules that several mechanisms share. Each error names the rule and the value. */
final class Require {
  private Require() {}

  static void positive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be finite and above 0; was " + value);
    }
  }

  static void count(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1; was " + count);
    }
  }

  static void releases(Epsilon epsilon, long count) {
    positive("epsilon", epsilon.value());
    count(count);
  }

  static void samplingRate(double rate) {
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException(
          "the sampling rate must be above 0 and at most 1; was " + rate);
    }
  }

  /** Divides and rounds up, unless the quotient is a double. */
  static double quotientUp(double numerator, double denominator) {
    double quotient = numerator / denominator;
    boolean exact =
        quotient >= Double.MIN_NORMAL && Math.fma(-quotient, denominator, numerator) <= 0;
    return exact ? quotient : Math.nextUp(quotient);
  }
}
