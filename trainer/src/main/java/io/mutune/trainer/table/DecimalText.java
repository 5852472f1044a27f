package io.mutune.trainer.table;

import tools.jackson.core.io.NumberOutput;

/** Decimal numbers as data files write them. */
public final class DecimalText {
  /** Whole numbers below it are doubles, and so are the powers of ten that {@link #POWERS} has. */
  private static final long EXACT = 1L << 53;

  private static final double EXACT_FLOAT = 1 << 24;

  /** By as many places a float is moved exactly: 5^12 has 28 bits, and it 24. */
  private static final int MOST_PLACES = 12;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17
  };

  private DecimalText() {}

  /**
   * The number, or NaN where the text is no decimal number or too large for float32. Java's own
   * parser would take {@code 1f}, {@code 0x1p3} and {@code NaN} too.
   */
  public static float parse(String text) {
    if (!isPlain(text)) {
      return Float.NaN;
    }
    try {
      float value = Float.parseFloat(text);
      return Float.isFinite(value) ? value : Float.NaN;
    } catch (NumberFormatException e) {
      return Float.NaN;
    }
  }

  /** The number to the nearest double, or NaN where the text is no decimal number or too large. */
  static double parseDouble(char[] chars, int from, int to) {
    double quick = shortDecimal(chars, from, to);
    return Double.isNaN(quick) ? longDecimal(new String(chars, from, to - from)) : quick;
  }

  /** The same of a text. */
  public static double parseDouble(String text) {
    return parseDouble(text.toCharArray(), 0, text.length());
  }

  /**
   * The shortest decimal that gives the float, the nearest one of several, to the nearest double:
   * 3.3 of 3.3f, as a text format has it.
   */
  public static double ofFloat(float value) {
    double wide = value;
    if (Math.abs(wide) < EXACT_FLOAT) {
      // The product is exact, and the quotient becomes the float that its decimal would.
      for (int places = 0; places <= MOST_PLACES; places++) {
        double decimal = Math.rint(wide * POWERS[places]) / POWERS[places];
        if ((float) decimal == value) {
          return decimal;
        }
      }
    }
    return Float.isFinite(value) ? Double.parseDouble(NumberOutput.toString(value, true)) : wide;
  }

  private static double longDecimal(String text) {
    if (!isPlain(text)) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Whether it has no other characters than decimal numbers have: no digits of other scripts. */
  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Digits with a point or none, as most files write them: the digits and the power of ten are both
   * exact, so that their quotient is rounded once (Clinger, PLDI 1990). NaN leaves it to Java.
   */
  private static double shortDecimal(char[] chars, int start, int end) {
    boolean negative = start < end && chars[start] == '-';
    int from = negative ? start + 1 : start;
    if (end == from || end - from > POWERS.length) {
      return Double.NaN;
    }
    long digits = 0;
    int point = -1;
    for (int i = from; i < end; i++) {
      char c = chars[i];
      if (c >= '0' && c <= '9') {
        digits = 10 * digits + (c - '0');
      } else if (c == '.' && point < 0) {
        point = i;
      } else {
        return Double.NaN;
      }
    }
    if (digits >= EXACT || (point >= 0 && end - from == 1)) {
      return Double.NaN;
    }
    double value = digits / POWERS[point < 0 ? 0 : end - 1 - point];
    return negative ? -value : value;
  }
}
