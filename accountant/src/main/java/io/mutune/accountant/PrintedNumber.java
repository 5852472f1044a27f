package io.mutune.accountant;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Numbers for people, with few digits and rounded in a stated direction: an ε printed {@link #up}
 * and read back is never below the one that was computed.
 *
 * <p>What is rounded is the shortest decimal that reads back as the double, so 0.1 prints as 0.1.
 * Magnitudes from 1e-4 to below 1e6 are plain, others like 1.25e-7.
 */
public final class PrintedNumber {
  private static final BigDecimal SMALLEST_PLAIN = new BigDecimal("1e-4");
  private static final BigDecimal SMALLEST_TOO_LARGE = new BigDecimal("1e6");

  private PrintedNumber() {}

  /** At least the value. */
  public static String up(double value, int significantDigits) {
    return print(value, significantDigits, RoundingMode.CEILING);
  }

  /** At most the value. */
  public static String down(double value, int significantDigits) {
    return print(value, significantDigits, RoundingMode.FLOOR);
  }

  private static String print(double value, int significantDigits, RoundingMode direction) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("only finite numbers are printed; was " + value);
    }
    if (significantDigits < 1) {
      throw new IllegalArgumentException(
          "a number needs at least 1 significant digit; was " + significantDigits);
    }
    BigDecimal rounded =
        BigDecimal.valueOf(value).round(new MathContext(significantDigits, direction));
    BigDecimal shortest = rounded.stripTrailingZeros();
    return isPlain(shortest) ? shortest.toPlainString() : scientific(shortest);
  }

  private static boolean isPlain(BigDecimal number) {
    BigDecimal magnitude = number.abs();
    return magnitude.signum() == 0
        || (magnitude.compareTo(SMALLEST_PLAIN) >= 0
            && magnitude.compareTo(SMALLEST_TOO_LARGE) < 0);
  }

  private static String scientific(BigDecimal number) {
    int exponent = number.precision() - number.scale() - 1;
    return number.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
  }
}
