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

  /**
   * Four panels of 40 Gauss-Legendre nodes over [0, 44]. What is cut off is below e⁻⁴⁴ of the
   * whole, and 40 nodes on a length of 11 leave less than that for exp(−s²/2), the most curved
   * factor.
   */
  private static final double PANEL = 11;

  private static final GaussIntegrator[] PANELS = panels(4, 40);

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
    double integral = 0;
    for (GaussIntegrator panel : PANELS) {
      integral +=
          panel.integrate(s -> Math.exp(-slope * s - (s / c) * (s / c) / 2) * saturating(u, s));
    }
    return Math.log(step) - 2 * Math.log(c) + Math.log(integral);
  }

  /** (1 − exp(−us))/u, which is s at u = 0. */
  private static double saturating(double u, double s) {
    return u * s < Double.MIN_NORMAL ? s : -Math.expm1(-u * s) / u;
  }

  private static GaussIntegrator[] panels(int count, int nodes) {
    GaussIntegratorFactory factory = new GaussIntegratorFactory();
    GaussIntegrator[] panels = new GaussIntegrator[count];
    for (int i = 0; i < count; i++) {
      panels[i] = factory.legendre(nodes, i * PANEL, (i + 1) * PANEL);
    }
    return panels;
  }
}
