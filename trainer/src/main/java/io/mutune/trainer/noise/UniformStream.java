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
}
