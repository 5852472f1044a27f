package io.mutune.accountant.gdp;

/**
 * ln δ(ε; μ), where δ(ε; μ) = Φ(−ε/μ + μ/2) − e^ε·Φ(−ε/μ − μ/2) (Dong, Roth and Su 2022, Corollary
 * 2.13; Balle and Wang 2018, Theorem 8) is the hockey-stick divergence of N(μ, 1) from N(0, 1).
 *
 * <p>With a = ε/μ − μ/2 and b = a + μ, φ(a) = e^ε·φ(b), so that δ = φ(a)·(M(a) − M(b)) and 1 − δ =
 * φ(a)·(M(−a) + M(b)) with the Mills ratio M. The first form is used where δ is small, the second
 * where 1 − δ is; neither overflows or cancels.
 */
final class HockeyStick {
  /** The gap between 1 and the next double; a rounding errs by half of it at most. */
  private static final double ULP = 0x1p-52;

  /**
   * Bounds the relative error of Mills ratios, of their differences and of their sums as computed
   * here. The worst found against 60-digit arithmetic on a wide grid is below half of it.
   */
  private static final double MILLS_ERROR = 12 * ULP;

  private static final double SQRT_2_PI = Math.sqrt(2 * Math.PI);
  private static final double LOG_SQRT_2_PI = Math.log(2 * Math.PI) / 2;

  /** Above it δ is at most 0.69, below it 1 − δ is at most 0.62. */
  private static final double FORMS_MEET = -0.5;

  private HockeyStick() {}

  /** ln δ to nearly all digits; −∞ if δ is 0 or ε/μ overflows. */
  static double logDelta(double mu, double epsilon) {
    return logDelta(mu, epsilon, 0);
  }

  /** At least the true ln δ: the rounding errors of {@link #logDelta} are added. */
  static double logDeltaUp(double mu, double epsilon) {
    return logDelta(mu, epsilon, 1);
  }

  /** At most the true ln δ. */
  static double logDeltaDown(double mu, double epsilon) {
    return logDelta(mu, epsilon, -1);
  }

  /**
   * The same by the plain difference of Mills ratios, which cancels for small μ: at a tenth of the
   * price, for finding where to look.
   */
  static double logDeltaRoughly(double mu, double epsilon) {
    double a = epsilon / mu - mu / 2;
    return a > FORMS_MEET && Double.isFinite(a)
        ? -a * a / 2
            - LOG_SQRT_2_PI
            + Math.log(Math.max(Double.MIN_NORMAL, MillsRatio.of(a) - MillsRatio.of(a + mu)))
        : logDelta(mu, epsilon, 0);
  }

  /**
   * δ falls as a rises with μ fixed, so moving a by its own rounding error in the direction of
   * {@code side} covers the cancellation of ε/μ against μ/2.
   */
  private static double logDelta(double mu, double epsilon, int side) {
    double quotient = epsilon / mu;
    if (!Double.isFinite(quotient)) {
      return Double.NEGATIVE_INFINITY;
    }
    double nearest = quotient - mu / 2;
    double a = nearest - side * (ULP / 2 * quotient + ULP * Math.abs(nearest));
    if (a > FORMS_MEET) {
      double log = -a * a / 2 - LOG_SQRT_2_PI + MillsRatio.logDrop(a, mu);
      return log * (1 - side * 3 * ULP) + side * MILLS_ERROR;
    }
    double rest = Math.exp(-a * a / 2) / SQRT_2_PI * (MillsRatio.of(-a) + MillsRatio.of(a + mu));
    return Math.log1p(-rest * (1 - side * (MILLS_ERROR + ULP / 4 * a * a)));
  }
}
