package io.mutune.orchestrator.display;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.mechanism.Mechanism;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Numbers as people read them: a privacy cost is rounded up, what is left of a budget down. */
public final class DisplayNumber {
  private static final int DIGITS = 6;
  private static final double ROUNDING = 1e-12;
  private static final double SMALLEST_PLAIN = 1e-4;
  private static final double GROUPED = 1e4;
  private static final double LARGEST_PLAIN = 1e9;

  private DisplayNumber() {}

  public static String cost(Epsilon epsilon) {
    return PrintedNumber.up(epsilon.value(), DIGITS);
  }

  public static String cost(Mu mu) {
    return PrintedNumber.up(mu.value(), DIGITS);
  }

  /** A cost that was read from a document. */
  public static String epsilon(double epsilon) {
    return cost(Epsilon.of(epsilon));
  }

  /** A cost that was read from a document. */
  public static String mu(double mu) {
    return cost(Mu.of(mu));
  }

  public static String cost(Delta delta) {
    return PrintedNumber.up(delta.value(), DIGITS);
  }

  public static String left(Delta delta) {
    return PrintedNumber.down(delta.value(), DIGITS);
  }

  /** An ε that was stated comes back from its μ a little below, and is shown as it was stated. */
  public static String left(Epsilon epsilon) {
    return PrintedNumber.down(epsilon.value() * (1 + ROUNDING), DIGITS);
  }

  public static String left(Mu mu) {
    return PrintedNumber.down(mu.value(), DIGITS);
  }

  /** As people write it: 1e-5. */
  public static String delta(Delta delta) {
    return Double.toString(delta.value()).replace(".0E", "e").replace("E", "e");
  }

  /** The same of a δ that was read from a document. */
  public static String delta(double delta) {
    return delta(Delta.of(delta));
  }

  /** A {@link Mechanism#parameters parameter}: whoever recomputes a cost from it gets no less. */
  public static String parameter(String key, double value) {
    return Mechanism.isCheaperWithMore(key)
        ? PrintedNumber.down(value, DIGITS)
        : PrintedNumber.up(value, DIGITS);
  }

  /** The deviation of noise, rounded down: whoever recomputes a cost from it gets no less. */
  public static String sigma(double sigma) {
    return PrintedNumber.down(sigma, DIGITS);
  }

  /** A hyperparameter or a figure to four digits, as people write it: 0.035, 95,230, 1.5e-7. */
  public static String value(double value) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    BigDecimal four = BigDecimal.valueOf(value).round(new MathContext(4, RoundingMode.HALF_UP));
    double size = Math.abs(value);
    if (size != 0 && (size < SMALLEST_PLAIN || size >= LARGEST_PLAIN)) {
      BigDecimal digits = four.stripTrailingZeros();
      int exponent = digits.precision() - digits.scale() - 1;
      return digits.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }
    return size >= GROUPED
        ? String.format(Locale.ROOT, "%,d", four.longValueExact())
        : size == 0 ? "0" : four.stripTrailingZeros().toPlainString();
  }

  /** A time: 4.2 s, 3:05 min, 2:00:07 h. */
  public static String time(double seconds) {
    if (seconds < 60) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? "%d:%02d min".formatted(whole / 60, whole % 60)
        : "%d:%02d:%02d h".formatted(whole / 3600, whole / 60 % 60, whole % 60);
  }

  /** Nothing for no number. */
  public static String ifPresent(OptionalDouble number, DoubleFunction<String> form) {
    return number.isPresent() ? form.apply(number.getAsDouble()) : "";
  }

  /** Between which ends a figure lies, of which one that is not known has none. */
  public static String interval(
      OptionalDouble low, OptionalDouble high, DoubleFunction<String> form) {
    if (low.isPresent() && high.isPresent()) {
      return form.apply(low.getAsDouble()) + " to " + form.apply(high.getAsDouble());
    }
    return low.isPresent()
        ? "above " + form.apply(low.getAsDouble())
        : high.isPresent() ? "below " + form.apply(high.getAsDouble()) : "no bound";
  }

  /** The end of an interval; none where that is infinite, which JSON has no number for. */
  public static OptionalDouble end(double end) {
    return Double.isFinite(end) ? OptionalDouble.of(end) : OptionalDouble.empty();
  }

  /** So many of something, as in {@code 1 study}. */
  public static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }
}
