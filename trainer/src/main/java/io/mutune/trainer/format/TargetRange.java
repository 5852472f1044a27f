package io.mutune.trainer.format;

import io.mutune.trainer.table.DecimalText;
import java.util.OptionalInt;

/**
 * Real labels, for regression, with public bounds. A row keeps its target as a whole multiple of
 * 2^−{@value #FRACTION_BITS}: t in [−1, 1] stands for {@code min} at −1 and {@code max} at 1. A
 * target beyond a bound is cut to it, which is no error, since an error would tell of it.
 *
 * @param min finite
 * @param max finite and above {@code min}
 */
public record TargetRange(double min, double max) implements Labelling {
  private static final int FRACTION_BITS = 30;

  /** The code of t = 1; that of t is t times this, to the nearest whole number. */
  public static final int ONE = 1 << FRACTION_BITS;

  public TargetRange {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "a target's range needs finite bounds with min below max; had min "
              + min
              + " and max "
              + max);
    }
  }

  /** The code of t in [−1, 1]; what lies outside is cut, and what is no number counts as 0. */
  public static int code(double t) {
    return (int) Math.round(Math.max(-1, Math.min(1, t)) * ONE);
  }

  /** t of a code, in [−1, 1]; no other code occurs. */
  public static double value(int code) {
    return (double) code / ONE;
  }

  @Override
  public OptionalInt codeOf(String text) {
    return codeOf(DecimalText.parseDouble(text.strip()));
  }

  @Override
  public OptionalInt codeOf(double number) {
    if (!Double.isFinite(number)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(code(2 * ((number - min) / (max - min)) - 1));
  }

  /** The target, between the bounds, that t stands for. */
  public double target(double t) {
    return min + (max - min) * ((t + 1) / 2);
  }

  @Override
  public int size() {
    return REAL;
  }
}
