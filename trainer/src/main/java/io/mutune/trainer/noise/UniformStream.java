package io.mutune.trainer.noise;

/** Independent uniform bits. */
@FunctionalInterface
public interface UniformStream {
  /** The number of bits that decide a chance: those of a double in [0, 1). */
  int CHANCE_BITS = 53;

  /** All 64 bits uniform. */
  long next();

  /**
   * True with the given probability, rounded down to a multiple of 2^−53: a row is never sampled
   * more often than its rate says. Takes one draw.
   *
   * @param probability in [0, 1]
   */
  default boolean chance(double probability) {
    return next() >>> (Long.SIZE - CHANCE_BITS) < (long) (probability * 0x1p53);
  }

  /**
   * A whole number from 0 to {@code bound} − 1, each exactly as likely as any other: draws that
   * would favour some are drawn again.
   *
   * @param bound at least 1
   */
  default long below(long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("a bound must be at least 1; was " + bound);
    }
    // Of the 2^63 non-negative draws, the last 2^63 mod bound are left out.
    while (true) {
      long draw = next() >>> 1;
      long number = draw % bound;
      if (draw - number <= Long.MAX_VALUE - (bound - 1)) {
        return number;
      }
    }
  }
}
