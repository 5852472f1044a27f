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
    MathContext many = new MathContext(110);
    BigDecimal x = new BigDecimal(z);
    BigDecimal square = x.multiply(x, many);
    BigDecimal density =
        exp(square.divide(BigDecimal.valueOf(-2), many), many)
            .divide(BigDecimal.valueOf(2).multiply(PI, many).sqrt(many), many);
    if (z < 6) {
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
