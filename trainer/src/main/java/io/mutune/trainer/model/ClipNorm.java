package io.mutune.trainer.model;

/**
 * C, the greatest L2 norm of what one row adds to a sum.
 *
 * @param value from 1e-30 to 1e30, where float32 neither overflows nor loses digits
 */
public record ClipNorm(double value) {
  /**
   * How far below C a row is clipped, relative to C, so that whatever an engine rounds stays within
   * C; the same for all, because they are to agree. The kernel needs the most of it: (ROWS + 2)²
   * roundings of 2^-24 for its sums over blocks, 2.6e-4, and less than 3e-6 for all else
   * (docs/soundness.md). Sums in double need n·2.3e-13 at worst, which reaches that beyond a
   * thousand million rows.
   */
  static final double MARGIN = 2.65e-4;

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
    return gradientNorm <= bound() ? 1 : bound() / gradientNorm;
  }

  /** The norm above which a row is clipped, to this norm. */
  double bound() {
    return value * (1 - MARGIN);
  }
}
