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
  static final double ULP = 0x1p-52;

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

  /** At least the true ln δ: the rounding errors are added. */
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
    return logDeltaRoughly(mu, epsilon, 0);
  }

  /** That with the rounding errors of {@link #logDeltaUp} for a side of 1, of the other for −1. */
  static double logDeltaRoughly(double mu, double epsilon, int side) {
    double a = threshold(mu, epsilon, side);
    return a > FORMS_MEET && Double.isFinite(a)
        ? widened(
            -a * a / 2
                - LOG_SQRT_2_PI
                + Math.log(Math.max(Double.MIN_NORMAL, MillsRatio.of(a) - MillsRatio.of(a + mu))),
            side)
        : logDelta(mu, epsilon, side);
  }

  /** d ln δ/dε = −e^ε·Φ(−b)/δ, roughly like {@link #logDeltaRoughly}; NaN where ε is. */
  static double slope(double mu, double epsilon) {
    double a = threshold(mu, epsilon, 0);
    double far = MillsRatio.of(a + mu);
    return a > FORMS_MEET
        ? -far / (MillsRatio.of(a) - far)
        : -far * Math.exp(-a * a / 2 - LOG_SQRT_2_PI - logDelta(mu, epsilon, 0));
  }

  /** ln δ to nearly all digits for a side of 0; −∞ if δ is 0 or ε/μ overflows. */
  static double logDelta(double mu, double epsilon, int side) {
    if (!Double.isFinite(epsilon / mu)) {
      return Double.NEGATIVE_INFINITY;
    }
    double a = threshold(mu, epsilon, side);
    if (a > FORMS_MEET) {
      return widened(-a * a / 2 - LOG_SQRT_2_PI + MillsRatio.logDrop(a, mu), side);
    }
    double rest = Math.exp(-a * a / 2) / SQRT_2_PI * (MillsRatio.of(-a) + MillsRatio.of(a + mu));
    return Math.log1p(-rest * (1 - side * (MILLS_ERROR + ULP / 4 * a * a)));
  }

  /**
   * a. δ falls as it rises with μ fixed, so moving it by its own rounding error in the direction of
   * {@code side} covers the cancellation of ε/μ against μ/2.
   */
  private static double threshold(double mu, double epsilon, int side) {
    double quotient = epsilon / mu;
    double nearest = quotient - mu / 2;
    return nearest - side * (ULP / 2 * quotient + ULP * Math.abs(nearest));
  }

  private static double widened(double log, int side) {
    return log * (1 - side * 3 * ULP) + side * MILLS_ERROR;
  }
}
