package io.mutune.accountant.ledger;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.integration.IterativeLegendreGaussIntegrator;

/**
 * δ from its definition as an expectation over the privacy loss, by numerical integration: δ = ∫
 * max(0, φ(x − μ) − e^ε·φ(x)) dx = E[max(0, 1 − exp(ε − L))], where L = μ²/2 + μY with Y normal.
 * Good to about 1e-9; no normal distribution function is evaluated, so that it can check one.
 */
final class HockeyStickIntegral {
  /** φ(12)/φ(0) and exp(−70) are below 1e-30: what lies beyond is nothing beside the rest. */
  private static final double LOWEST_Y = -12;

  private static final double DEEPEST_EXPONENT = 70;
  private static final double LOG_SQRT_2_PI = Math.log(2 * Math.PI) / 2;

  private HockeyStickIntegral() {}

  /** ln δ, for μ above 0. Both factors are divided by the largest density of the range. */
  static double logDelta(double mu, double epsilon) {
    // L passes ε where Y passes a; t is how far beyond Y is.
    double a = epsilon / mu - mu / 2;
    double densest = Math.max(a, 0);
    UnivariateFunction scaled =
        t -> Math.exp((densest - a - t) * (densest + a + t) / 2) * -Math.expm1(-mu * t);

    double from = Math.max(0, LOWEST_Y - a);
    double farthest = Math.sqrt(densest * densest + 2 * DEEPEST_EXPONENT);
    double to = 2 * DEEPEST_EXPONENT / (farthest + densest) + densest - a;
    // From here on the second factor is 1; before it, for a large μ, is a steep rise.
    double knee = Math.min(to, Math.max(from, DEEPEST_EXPONENT / mu));
    double integral = integrate(scaled, from, knee) + integrate(scaled, knee, to);
    return Math.log(integral) - densest * densest / 2 - LOG_SQRT_2_PI;
  }

  private static double integrate(UnivariateFunction f, double from, double to) {
    return from < to
        ? new IterativeLegendreGaussIntegrator(20, 1e-10, Double.MIN_VALUE, 2, 64)
            .integrate(100_000, f, from, to)
        : 0;
  }
}
