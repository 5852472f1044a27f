package io.mutune.trainer.noise;

import java.math.BigInteger;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A real number uniform in (0, 1) of which only the leading bits that somebody asked for are drawn:
 * comparisons are exact, and no bit is ever rounded.
 */
final class LazyUniform {
  private final UniformRandomProvider bits;
  private long[] words = new long[2];
  private int drawn;

  LazyUniform(UniformRandomProvider bits) {
    this.bits = bits;
  }

  private long word(int index) {
    while (drawn <= index) {
      if (drawn == words.length) {
        words = Arrays.copyOf(words, 2 * drawn);
      }
      words[drawn++] = bits.nextLong();
    }
    return words[index];
  }

  /** Equal numbers do not occur: it goes on until a word differs. */
  boolean isBelow(LazyUniform other) {
    for (int i = 0; ; i++) {
      int order = Long.compareUnsigned(word(i), other.word(i));
      if (order != 0) {
        return order < 0;
      }
    }
  }

  boolean isBelowOneHalf() {
    return word(0) >= 0;
  }

  /** The leading {@code 64 · count} bits as a whole number. */
  BigInteger leading(int count) {
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      number = number.shiftLeft(Long.SIZE).or(unsigned(word(i)));
    }
    return number;
  }

  private static BigInteger unsigned(long word) {
    return BigInteger.valueOf(word >>> 1).shiftLeft(1).or(BigInteger.valueOf(word & 1));
  }
}
