package io.mutune.accountant.pld;

import java.math.BigDecimal;
import java.math.MathContext;

/** Roots of unity and normal tails to 50 digits, by nothing but sums and products. */
final class Digits {
  static final MathContext FIFTY = new MathContext(60);

  private Digits() {}

  /** (cos, sin) of 2πj/size, for a power of two, by halving the right angle. */
  static BigDecimal[][] rootsOfUnity(int size) {
    BigDecimal[][] roots = new BigDecimal[size][];
    BigDecimal two = BigDecimal.valueOf(2);
    // Of a quarter turn; each half-angle has cos² = (1 + cos)/2.
    BigDecimal cos = BigDecimal.ZERO;
    BigDecimal sin = BigDecimal.ONE;
    for (int n = 4; n < size; n *= 2) {
      BigDecimal half = BigDecimal.ONE.add(cos).divide(two, FIFTY).sqrt(FIFTY);
      sin = sin.divide(two.multiply(half), FIFTY);
      cos = half;
    }
    roots[0] = new BigDecimal[] {BigDecimal.ONE, BigDecimal.ZERO};
    for (int j = 1; j < size; j++) {
      BigDecimal[] last = roots[j - 1];
      roots[j] =
          new BigDecimal[] {
            last[0].multiply(cos).subtract(last[1].multiply(sin), FIFTY).round(FIFTY),
            last[0].multiply(sin).add(last[1].multiply(cos), FIFTY).round(FIFTY)
          };
    }
    return roots;
  }

  /**
   * P(Z > z) for the double z ≥ 0: below 6 by Taylor's series of Φ, ½ − φ(z)·Σ z^(2k+1)/(1·3·…·(2k
   * + 1)), with enough digits for what cancels; above by the continued fraction of the Mills ratio.
   */
  static BigDecimal normalTail(double z) {
    return normalTail(new BigDecimal(z));
  }

  private static BigDecimal normalTail(BigDecimal x) {
    MathContext many = new MathContext(110);
    BigDecimal square = x.multiply(x, many);
    BigDecimal density =
        exp(square.divide(BigDecimal.valueOf(-2), many), many)
            .divide(BigDecimal.valueOf(2).multiply(PI, many).sqrt(many), many);
    if (x.compareTo(BigDecimal.valueOf(6)) < 0) {
      BigDecimal term = x;
      BigDecimal sum = x;
      for (int k = 1; k < 400; k++) {
        term = term.multiply(square, many).divide(BigDecimal.valueOf(2L * k + 1), many);
        sum = sum.add(term, many);
      }
      return new BigDecimal("0.5").subtract(density.multiply(sum, many), many);
    }
    BigDecimal fraction = x;
    for (int k = 600; k >= 1; k--) {
      fraction = x.add(BigDecimal.valueOf(k).divide(fraction, many), many);
    }
    return density.divide(fraction, many);
  }

  private static final BigDecimal PI =
      new BigDecimal(
          "3.14159265358979323846264338327950288419716939937510"
              + "58209749445923078164062862089986280348253421170679");

  /** e^x to 60 digits. */
  static BigDecimal exp(double x) {
    return exp(new BigDecimal(x), FIFTY);
  }

  /** The same. */
  static BigDecimal exp(BigDecimal x) {
    return exp(x, FIFTY);
  }

  /**
   * P(Z > z) to as many digits as {@link #normalTail}, for either sign of z; farther out than 200,
   * where it is below 10⁻⁸⁶⁰⁰, as it is there.
   */
  static BigDecimal tailAbove(BigDecimal z) {
    BigDecimal size = z.abs().min(BigDecimal.valueOf(200));
    return z.signum() >= 0 ? normalTail(size) : BigDecimal.ONE.subtract(normalTail(size), FIFTY);
  }

  /** ln x for x above 0, by Newton's steps from a double. */
  static BigDecimal log(BigDecimal x) {
    int exponent = x.precision() - x.scale();
    BigDecimal near = x.scaleByPowerOfTen(-exponent);
    BigDecimal y = new BigDecimal(Math.log(near.doubleValue()) + exponent * Math.log(10));
    for (int i = 0; i < 4; i++) {
      BigDecimal quotient = x.multiply(exp(y.negate()), FIFTY);
      // 2·(x − e^y)/(x + e^y) more, whose error is of third order.
      BigDecimal two = BigDecimal.valueOf(2);
      BigDecimal step =
          two.multiply(quotient.subtract(BigDecimal.ONE))
              .divide(quotient.add(BigDecimal.ONE), FIFTY);
      y = y.add(step, FIFTY);
    }
    return y;
  }

  /** e^x, by squaring e^(x/2^20). */
  private static BigDecimal exp(BigDecimal x, MathContext digits) {
    MathContext more = new MathContext(digits.getPrecision() + 12);
    BigDecimal small = x.divide(BigDecimal.valueOf(1 << 20), more);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int k = 1; k < 60; k++) {
      term = term.multiply(small, more).divide(BigDecimal.valueOf(k), more);
      sum = sum.add(term, more);
    }
    for (int i = 0; i < 20; i++) {
      sum = sum.multiply(sum, more);
    }
    return sum;
  }
}
