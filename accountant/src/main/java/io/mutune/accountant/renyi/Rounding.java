package io.mutune.accountant.renyi;

/** Directions of rounding for what a few floating-point operations gave. */
final class Rounding {
  /** Covers the errors of some thirty operations, each of half a unit in the last place. */
  private static final double ROOM = 0x1p-48;

  private Rounding() {}

  /** At least the true value; 0 stays 0, which only ever stands for no loss. */
  static double up(double value) {
    return value == 0 ? 0 : Math.nextUp(value + Math.abs(value) * ROOM);
  }

  /** At least the true value of what is above 0, though it may have become 0 in a double. */
  static double upAboveZero(double value) {
    return Math.max(Double.MIN_NORMAL, up(value));
  }

  /** At most the true value, also of one that has overflowed. */
  static double down(double value) {
    if (value == Double.POSITIVE_INFINITY) {
      return Double.MAX_VALUE;
    }
    return value == 0 ? 0 : Math.nextDown(value - Math.abs(value) * ROOM);
  }

  /** A sum of terms that may cancel: rounded up by what the largest of them may have lost. */
  static double sumUp(double... terms) {
    double sum = 0;
    double magnitude = 0;
    for (double term : terms) {
      sum += term;
      magnitude += Math.abs(term);
    }
    return Math.nextUp(sum + magnitude * ROOM);
  }
}
