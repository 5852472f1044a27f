package io.mutune.trainer.kernel;

import java.util.Arrays;

/**
 * A sum of vectors in twice the precision of a double: hi + lo, where hi is what the sum rounds to
 * (Dekker 1971). An addition is off by at most 2^−105 of the partial sum, so that for n addends of
 * norm at most C the sum is off by at most n²·2^−105·C: less than 1e-12·C for 2^31 of them. So sums
 * of neighbours differ by what the one row adds, however the others' partial sums round.
 */
public final class DoubleDoubleSum {
  private final double[] hi;
  private final double[] lo;

  /** Zeros. */
  public DoubleDoubleSum(int length) {
    hi = new double[length];
    lo = new double[length];
  }

  /** Zeros again. */
  public void clear() {
    Arrays.fill(hi, 0);
    Arrays.fill(lo, 0);
  }

  /** Adds to one coordinate. */
  public void add(int i, double value) {
    double sum = hi[i] + value;
    double added = sum - hi[i];
    double rounded = (hi[i] - (sum - added)) + (value - added) + lo[i];
    hi[i] = sum + rounded;
    lo[i] = rounded - (hi[i] - sum);
  }

  /** One coordinate, rounded to double. */
  public double rounded(int i) {
    return hi[i];
  }

  /** What that rounding left out. */
  public double rest(int i) {
    return lo[i];
  }

  /** The sum, rounded to double. */
  public double[] rounded() {
    return hi.clone();
  }
}
