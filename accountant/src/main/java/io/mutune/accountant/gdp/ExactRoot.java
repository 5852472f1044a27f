package io.mutune.accountant.gdp;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * √(n/d) rounded to a double in a stated direction, exactly: a double's square is a finite decimal,
 * so the result is checked without any rounding of its own. A root that is a double comes back as
 * that double.
 */
final class ExactRoot {
  private ExactRoot() {}

  /** The square of a finite double, exactly. */
  static BigDecimal square(double value) {
    return new BigDecimal(value).pow(2);
  }

  /** The smallest double that is at least √(numerator/denominator); infinite if there is none. */
  static double up(BigDecimal numerator, BigDecimal denominator) {
    double root = near(numerator, denominator);
    while (Double.isFinite(root) && isBelow(root, numerator, denominator)) {
      root = Math.nextUp(root);
    }
    while (root > 0 && !isBelow(Math.nextDown(root), numerator, denominator)) {
      root = Math.nextDown(root);
    }
    return root;
  }

  /** The largest double that is at most √(numerator/denominator). */
  static double down(BigDecimal numerator, BigDecimal denominator) {
    double root = up(numerator, denominator);
    return square(root).multiply(denominator).compareTo(numerator) == 0
        ? root
        : Math.nextDown(root);
  }

  private static boolean isBelow(double root, BigDecimal numerator, BigDecimal denominator) {
    return square(root).multiply(denominator).compareTo(numerator) < 0;
  }

  /** Within a few units in the last place of the root; the decimal detour cannot overflow. */
  private static double near(BigDecimal numerator, BigDecimal denominator) {
    return numerator
        .divide(denominator, MathContext.DECIMAL64)
        .sqrt(MathContext.DECIMAL64)
        .doubleValue();
  }
}
