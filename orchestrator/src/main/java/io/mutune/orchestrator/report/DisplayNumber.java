package io.mutune.orchestrator.report;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.PrintedNumber;
import java.util.Locale;

/** Numbers as people read them: a privacy cost is rounded up, what is left of a budget down. */
public final class DisplayNumber {
  private static final int DIGITS = 6;

  private DisplayNumber() {}

  public static String cost(Epsilon epsilon) {
    return PrintedNumber.up(epsilon.value(), DIGITS);
  }

  public static String cost(Mu mu) {
    return PrintedNumber.up(mu.value(), DIGITS);
  }

  /** A cost that was read from a document. */
  static String epsilon(double epsilon) {
    return cost(Epsilon.of(epsilon));
  }

  /** A cost that was read from a document. */
  static String mu(double mu) {
    return cost(Mu.of(mu));
  }

  public static String cost(Delta delta) {
    return PrintedNumber.up(delta.value(), DIGITS);
  }

  public static String left(Delta delta) {
    return PrintedNumber.down(delta.value(), DIGITS);
  }

  public static String left(Epsilon epsilon) {
    return PrintedNumber.down(epsilon.value(), DIGITS);
  }

  public static String left(Mu mu) {
    return PrintedNumber.down(mu.value(), DIGITS);
  }

  /** As people write it: 1e-5. */
  public static String delta(Delta delta) {
    return Double.toString(delta.value()).replace(".0E", "e").replace("E", "e");
  }

  /** The deviation of noise, rounded down: whoever recomputes a cost from it gets no less. */
  public static String sigma(double sigma) {
    return PrintedNumber.down(sigma, DIGITS);
  }

  /** A hyperparameter or a score, to four digits. */
  public static String value(double value) {
    String text = String.format(Locale.ROOT, "%.4g", value);
    return text.contains(".") && !text.contains("e")
        ? text.replaceAll("0+$", "").replaceAll("\\.$", "")
        : text;
  }

  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }
}
