package io.mutune.trainer.model;

import java.util.Arrays;

/**
 * A sum of vectors in which an addend counts the same whatever else is in it: each is rounded to
 * whole multiples of 2^−58 of a bound on it, by itself, and these are added as whole numbers of two
 * words. So sums depend on no order, and those of neighbours differ by what the one row adds,
 * however many rows there are; making a double of a coordinate rounds it by 2^−53 in the end.
 *
 * <p>Numbers are shares of the bound, from −1 to 1.
 */
public final class ExactSum {
  private static final int UNIT_BITS = 58;
  private static final double UNIT = 0x1p58;
  private static final long HALF = 1L << (UNIT_BITS - 1);

  /** So many shares of the first word still fit in it. */
  private static final int CARRY = 16;

  private final long[] low;
  private final long[] high;
  private int addends;

  /** Zeros. */
  public ExactSum(int length) {
    low = new long[length];
    high = new long[length];
  }

  /** Zeros again. */
  public void clear() {
    Arrays.fill(low, 0);
    Arrays.fill(high, 0);
    addends = 0;
  }

  /** Adds to one coordinate of the vector that {@link #next} ends; no number adds nothing. */
  public void add(int i, double share) {
    low[i] += (long) Math.rint(share * UNIT);
  }

  /** Ends a vector, of which each coordinate was added to at most once. */
  public void next() {
    addends++;
    if (addends == CARRY) {
      carry();
    }
  }

  private void carry() {
    for (int i = 0; i < low.length; i++) {
      long carried = (low[i] + HALF) >> UNIT_BITS;
      high[i] += carried;
      low[i] -= carried << UNIT_BITS;
    }
    addends = 0;
  }

  /** The sum, rounded to doubles, times {@code bound}. */
  public void to(double[] sum, double bound) {
    carry();
    for (int i = 0; i < sum.length; i++) {
      sum[i] = bound * (high[i] + low[i] / UNIT);
    }
  }
}
