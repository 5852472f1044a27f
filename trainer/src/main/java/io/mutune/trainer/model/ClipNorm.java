package io.mutune.trainer.model;

/**
 * C, the greatest L2 norm of what one row adds to a sum.
 *
 * @param value from 1e-30 to 1e30, where float32 neither overflows nor loses digits
 */
public record ClipNorm(double value) {
  /**
   * How far below C a row is clipped, relative to C. An engine may hold a row in float32, so a
   * contribution grows by less than 2e-7; the rest is for logits and sums in double, which rounding
   * moves by at most about n·1e-12·C between two neighbours of n rows: enough for hundreds of
   * thousands of rows in the worst case, and for far more in any real one.
   */
  static final double MARGIN = 1e-6;

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
    double bound = value * (1 - MARGIN);
    return gradientNorm <= bound ? 1 : bound / gradientNorm;
  }
}
