package io.mutune.trainer.kernel;

import java.math.BigInteger;

/**
 * A sum of vectors in whole numbers, which parts add up in any order and on any machine without a
 * bit of difference. The unit is 2^-59 of the least power of two that no norm of an addend exceeds,
 * C or more and below 2C: an addend of n numbers is moved by at most √n·2^-59·C, and the sum of
 * neighbours differs by what the one row adds as it is then, however the others round.
 *
 * <p>A number is two of these, its multiple of 2^30 units and what is left, so that 2^33 addends
 * fit.
 */
public final class WholeSum {
  private static final int LOW_BITS = 30;
  private static final int BITS = 59;

  /** Multiples of 2^30 units in 1; a power of two, which multiplies exactly. */
  private final double scale;

  private final long[] sums;

  /**
   * Zero.
   *
   * @param greatest which no norm of an addend exceeds; above 0
   */
  public WholeSum(double greatest, int length) {
    scale = Math.scalb(1.0, BITS - LOW_BITS - exponent(greatest));
    sums = new long[Math.multiplyExact(2, length)];
  }

  private static int exponent(double greatest) {
    int below = Math.getExponent(greatest);
    return Math.scalb(1.0, below) < greatest ? below + 1 : below;
  }

  /**
   * Adds to one coordinate.
   *
   * @throws ArithmeticException where there are so many addends that they do not fit
   */
  public void add(int i, double value) {
    double scaled = value * scale;
    double high = Math.rint(scaled);
    sums[2 * i] = Math.addExact(sums[2 * i], (long) high);
    long low = (long) Math.rint((scaled - high) * (1 << LOW_BITS)); // the difference is exact
    sums[2 * i + 1] = Math.addExact(sums[2 * i + 1], low);
  }

  /** Whole numbers, which those of other sums of this kind may be added to. */
  public long[] numbers() {
    return sums.clone();
  }

  /** Each coordinate of what such numbers add up to, rounded to double once. */
  public static double[] rounded(double greatest, long[] numbers) {
    double[] rounded = new double[numbers.length / 2];
    for (int i = 0; i < rounded.length; i++) {
      BigInteger units =
          BigInteger.valueOf(numbers[2 * i])
              .shiftLeft(LOW_BITS)
              .add(BigInteger.valueOf(numbers[2 * i + 1]));
      rounded[i] = Math.scalb(units.doubleValue(), exponent(greatest) - BITS);
    }
    return rounded;
  }
}
