package io.mutune.trainer.gradient;

import java.io.Serializable;

/**
 * C, the greatest L2 norm of what one unit adds to a sum: a row, or all rows of a person.
 *
 * @param value from 1e-30 to 1e30, where float32 neither overflows nor loses digits
 */
public record ClipNorm(double value) implements Serializable {
  /**
   * How far below C a row is clipped, relative to C, so that whatever an engine rounds stays within
   * C; the same for all, because they are to agree. The kernel needs the most of it: (ROWS + 2)²
   * roundings of 2^-24 for its sums over blocks, 2.6e-4, and less than 3e-6 for all else
   * (docs/soundness.md). ND4J needs √d·2^-25 for d features, 2.2e-5 at most, and n·2.3e-13 for n
   * rows, which together stay below it up to a thousand million rows.
   */
  static final double MARGIN = 2.65e-4;

  /**
   * {@link #MARGIN} where rows belong to units. A unit's rows are summed one after the other and
   * may cancel, so more is rounded: at most 4353 roundings of 2^-24 for sums over blocks, 2.6e-4,
   * and less than 2.1e-5 for all else (docs/soundness.md).
   */
  static final double MARGIN_OF_UNITS = 3e-4;

  /**
   * S: the gradients of a unit's rows, taken one by one, may be so much longer than their clipped
   * sum. Beyond that, where rows nearly cancel, the unit is shortened further, so that float32 sums
   * never hold much more than they end with.
   */
  static final double ROWS_OVER_SUM = 16;

  private static final double LEAST = 1e-30;
  private static final double GREATEST = 1e30;

  public ClipNorm {
    if (!(value >= LEAST && value <= GREATEST)) {
      throw new IllegalArgumentException(
          "the clip norm must be in [%s, %s]; was %s".formatted(LEAST, GREATEST, value));
    }
  }

  public static ClipNorm of(double value) {
    return new ClipNorm(value);
  }

  /**
   * What a gradient of norm {@code gradientNorm} is multiplied by: min(1, C(1 − {@link
   * #MARGIN})/norm), 1 for a norm of 0, and 0 for a norm that is infinite or NaN: such a row adds
   * nothing, because an exception would tell that it is there.
   */
  public double factor(double gradientNorm) {
    if (!(gradientNorm < Double.POSITIVE_INFINITY)) {
      return 0;
    }
    double bound = bound(false);
    return gradientNorm <= bound ? 1 : bound / gradientNorm;
  }

  /**
   * What the gradients of all rows of a unit are multiplied by: min(1, B/‖Σg‖, S·B/Σ‖g‖) with B =
   * C(1 − {@link #MARGIN_OF_UNITS}) and S = {@value #ROWS_OVER_SUM}. Both norms are finite: a row
   * whose own gradient is not adds nothing, and is none of the unit's.
   *
   * @param ofSum ‖Σg‖
   * @param ofRows Σ‖g‖
   */
  public double unitFactor(double ofSum, double ofRows) {
    double longest = Math.max(ofSum, ofRows / ROWS_OVER_SUM);
    double bound = bound(true);
    return longest <= bound ? 1 : bound / longest;
  }

  /** The norm above which what a unit adds is clipped, to this norm. */
  double bound(boolean ofUnits) {
    return value * (1 - (ofUnits ? MARGIN_OF_UNITS : MARGIN));
  }
}
