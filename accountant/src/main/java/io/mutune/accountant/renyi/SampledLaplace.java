package io.mutune.accountant.renyi;

import io.mutune.accountant.mechanism.LogMixture;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;

/**
 * The Rényi divergence of the Poisson-subsampled Laplace mechanism under add/remove: of (1 − q)·Q +
 * q·P from Q or the other way round, whichever is larger, for Q and P Laplace with scale 1/ε about
 * 0 and 1 (Zhu, Dong and Wang 2022, Theorem 11).
 *
 * <p>The unsampled loss v is −ε with probability ½ under Q, ε with probability e^(−ε)/2, and has
 * the density e^(−(ε + v)/2)/4 between. With u = q·(e^v − 1) and E[u] = 0, the moments less 1 are
 * E[(1 + u)^α − 1 − αu] and E[(1 + u)^(1−α) − 1 + (α − 1)u], in which nothing is negative.
 */
final class SampledLaplace {
  /** Exponents change by no more than 8 on a panel, and no singularity is nearer than π. */
  private static final double EXPONENT_PER_PANEL = 8;

  private static final double LONGEST_PANEL = 2;
  private static final GaussIntegrator PANEL = new GaussIntegratorFactory().legendre(16, -1, 1);

  /** Beyond these the moments overflow or take long; a simpler bound has to do. */
  private static final double LARGEST_EPSILON = 50;

  private static final double LARGEST_EXPONENT = 500;

  /** Covers the quadrature's error and the roundings of its sum, both below 1e-13. */
  private static final double ROOM = 0x1p-40;

  private SampledLaplace() {}

  /** Rounded up, by 1e-12 relatively; infinite where it is not worth computing. */
  static double divergence(double epsilon, double rate, double order) {
    if (epsilon > LARGEST_EPSILON || epsilon * order > LARGEST_EXPONENT) {
      return Double.POSITIVE_INFINITY;
    }
    double excess = order - 1;
    double removed =
        mean(
            epsilon,
            order,
            v -> {
              double w = LogMixture.of(rate, v);
              double u = Math.expm1(w);
              return excess * Exponentials.relativeEntropy(u)
                  + (1 + u) * Exponentials.expm1MinusX(excess * w);
            });
    double added =
        mean(
            epsilon,
            order,
            v -> {
              double w = LogMixture.of(rate, v);
              // u − ln(1 + u) is e^w − 1 − w.
              return Exponentials.expm1MinusX(-excess * w) + excess * Exponentials.expm1MinusX(w);
            });
    double larger = Math.max(Double.MIN_NORMAL, Math.max(removed, added));
    return Rounding.up(Math.log1p(larger) * (1 + ROOM) / excess);
  }

  /** E[f(v)] under Q. */
  private static double mean(double epsilon, double order, DoubleUnaryOperator f) {
    double width = Math.min(LONGEST_PANEL, EXPONENT_PER_PANEL / order);
    int panels = (int) Math.ceil(2 * epsilon / width);
    double half = epsilon / panels;
    double between = 0;
    for (int i = 0; i < panels; i++) {
      double centre = -epsilon + (2 * i + 1) * half;
      between +=
          PANEL.integrate(
              x -> {
                double v = centre + half * x;
                return f.applyAsDouble(v) * Math.exp(-(epsilon + v) / 2);
              });
    }
    return f.applyAsDouble(-epsilon) / 2
        + f.applyAsDouble(epsilon) * Math.exp(-epsilon) / 2
        + between * half / 4;
  }
}
