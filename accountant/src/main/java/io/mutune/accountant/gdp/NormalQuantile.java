package io.mutune.accountant.gdp;

import org.apache.commons.numbers.gamma.InverseErf;

/** Points of the normal distribution, for probabilities that would be 1/2 or 0 as doubles. */
final class NormalQuantile {
  private static final double LOG_SQRT_2_PI = Math.log(2 * Math.PI) / 2;

  /** Covers the errors of the special functions and of a handful of operations. */
  private static final double ROOM_FOR_ROUNDING = 0x1p-46;

  /** Below it the quantile is found from its distance to the middle, above it from its tail. */
  private static final double FORMS_MEET = 2;

  private NormalQuantile() {}

  /**
   * The x ≥ 0 with ln(Φ(x)/(1 − Φ(x))) = {@code logOdds}, rounded up by a few units in the last
   * place.
   *
   * @param logOdds finite and at least 0
   */
  static double oddsUp(double logOdds) {
    double x = logOdds < FORMS_MEET ? fromMiddle(logOdds) : fromTail(logOdds);
    return x == 0 ? 0 : Math.nextUp(x * (1 + ROOM_FOR_ROUNDING));
  }

  /** 2Φ(x) − 1 = erf(x/√2) = tanh(logOdds/2). */
  private static double fromMiddle(double logOdds) {
    return Math.sqrt(2) * InverseErf.value(Math.tanh(logOdds / 2));
  }

  /** −ln(1 − Φ(x)) = ln(1 + e^logOdds), where 1 − Φ(x) = φ(x)·M(x) < exp(−x²/2). */
  private static double fromTail(double logOdds) {
    double minusLogTail = logOdds + Math.log1p(Math.exp(-logOdds));
    return PrivateSide.whereNotAbove(
        x -> minusLogTail - (x * x / 2 + LOG_SQRT_2_PI - Math.log(MillsRatio.of(x))),
        0,
        Math.sqrt(2 * minusLogTail) + 1);
  }
}
