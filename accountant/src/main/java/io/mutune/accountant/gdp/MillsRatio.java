package io.mutune.accountant.gdp;

import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * The Mills ratio M(x) = Q(x)/φ(x) = ∫₀^∞ exp(−xt − t²/2) dt of the normal distribution, which
 * neither underflows where Q(x) = 1 − Φ(x) does nor loses digits there.
 */
final class MillsRatio {
  private static final double SQRT_HALF = Math.sqrt(0.5);
  private static final double SQRT_HALF_PI = Math.sqrt(Math.PI / 2);

  /** What is cut off is below e⁻⁴⁴ of the whole. */
  private static final double DEEPEST = 44;

  /**
   * Gauss-Legendre nodes on [−1, 1]. The integrand is entire: on a range that ends where its
   * exponent reaches 44, at 44 for e^(−s) and at 10 for exp(−s²/2), 40 nodes leave less than e⁻⁴⁴.
   */
  private static final int NODES = 40;

  private static final double[] POINTS = new double[NODES];
  private static final double[] WEIGHTS = new double[NODES];

  static {
    GaussIntegrator rule = new GaussIntegratorFactory().legendre(NODES);
    for (int i = 0; i < NODES; i++) {
      POINTS[i] = rule.getPoint(i);
      WEIGHTS[i] = rule.getWeight(i);
    }
  }

  /** Above it 1 − e^(−x) is as good as the slower function for small x. */
  private static final double NOTHING_CANCELS = 0.75;

  private MillsRatio() {}

  /** M(x), for x above −37. */
  static double of(double x) {
    return SQRT_HALF_PI * Erfcx.value(x * SQRT_HALF);
  }

  /**
   * ln(M(x) − M(x + step)) without cancellation, for x at least −0.5 and step above 0, both finite.
   *
   * <p>A long step halves the ratio at least, and the plain difference is good. For a short one the
   * difference is ∫₀^∞ exp(−xt − t²/2)·(1 − exp(−step·t)) dt, in which every term is positive. With
   * t = s/c, c = max(1, x), the integrand lives on s of order 1, and (1 − exp(−us))/u with u =
   * step/c stays near s however small the step.
   */
  static double logDrop(double x, double step) {
    double c = Math.max(1, x);
    double u = step / c;
    if (u >= 1) {
      return Math.log(of(x) - of(x + step));
    }
    double slope = x / c;
    double curve = 1 / (c * c);
    // Where slope·s + curve·s²/2 is 44, by the root that does not cancel.
    double root = Math.sqrt(slope * slope + 2 * DEEPEST * curve);
    double half = slope > 0 ? DEEPEST / (slope + root) : (root - slope) / (2 * curve);
    double integral = 0;
    for (int i = 0; i < NODES; i++) {
      double s = half * (1 + POINTS[i]);
      integral += WEIGHTS[i] * Math.exp(-s * (slope + s * curve / 2)) * saturating(u, s);
    }
    integral *= half;
    return Math.log(step) - 2 * Math.log(c) + Math.log(integral);
  }

  /** (1 − exp(−us))/u, which is s at u = 0. */
  private static double saturating(double u, double s) {
    double x = u * s;
    if (x > NOTHING_CANCELS) {
      return (1 - Math.exp(-x)) / u;
    }
    return x < Double.MIN_NORMAL ? s : -Math.expm1(-x) / u;
  }
}
