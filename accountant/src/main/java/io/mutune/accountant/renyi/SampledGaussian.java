package io.mutune.accountant.renyi;

import io.mutune.accountant.mechanism.LogMixture;

/**
 * The Rényi divergence of the Poisson-subsampled Gaussian under add/remove (Mironov, Talwar and
 * Zhang 2019): of (1 − q)·N(0, σ²) + q·N(1, σ²) from N(0, σ²), the larger of the two ways round
 * (their Theorem 5), for whole and fractional orders alike.
 *
 * <p>With u(z) = q·(e^(z/σ − 1/(2σ²)) − 1), A = E[(1 + u)^α] over a standard normal z. As E[u] = 0,
 * A − 1 = E[(1 + u)^α − 1 − αu], in which nothing is negative: small divergences keep their digits.
 * The integrand is analytic between the lines Im z = ±πσ, so that the sum over an equidistant grid
 * converges faster than any power of its step.
 */
final class SampledGaussian {
  /** Leaves less than 1e-15 of the integral, by the distance of the singularities. */
  private static final double STEP = 0.4;

  /** exp(−14²/2) is below 1e-42. */
  private static final double FARTHEST = 14;

  /** The integrand's peaks are no narrower than a normal density's. */
  private static final double PANEL = 1;

  /** Panels whose ends are both e⁻⁶⁰ of the highest do not count. */
  private static final double DEEPEST = 60;

  /** Longer ranges and smaller σ than these would take long, and are of no use to anyone. */
  private static final double LONGEST = 1e5;

  private static final double SMALLEST_SIGMA = 0.01;

  /** Covers the grid's error and the roundings of its sum, both below 1e-13. */
  private static final double ROOM = 0x1p-40;

  /** Above it (1 + u)^α is so large that 1 + αu beside it is nothing. */
  private static final double LARGE_EXPONENT = 100;

  /**
   * At the best order, ln A of all steps together is near ln(1/δ) ≤ 745 for an ε of any use: where
   * a single term of it is above this, the cheap bound will do.
   */
  private static final double USELESS = 1e6;

  private final double sigma;
  private final double rate;
  private final double order;
  private final double excess;

  private SampledGaussian(double sigma, double rate, double order) {
    this.sigma = sigma;
    this.rate = rate;
    this.order = order;
    this.excess = order - 1;
  }

  /**
   * Rounded up, by 1e-12 relatively.
   *
   * @param sigma relative to a sensitivity of 1
   * @param rate q, above 0 and below 1
   */
  static double divergence(double sigma, double rate, double order) {
    double unsampled = Rounding.upAboveZero(order / (2 * sigma) / sigma);
    double mixed = mixed(rate, unsampled, order);
    double highestTerm = order * (Math.log(rate) + (order - 1) / (2 * sigma) / sigma);
    if (sigma < SMALLEST_SIGMA || order / sigma > LONGEST || highestTerm > USELESS) {
      return mixed;
    }
    double log = new SampledGaussian(sigma, rate, order).logMoment();
    return Math.min(mixed, Rounding.up(log * (1 + ROOM) / (order - 1)));
  }

  /**
   * What joint convexity alone gives: e^((α−1)D') = 1 − q + q·e^((α−1)D), for any mechanism on a
   * sample and either adjacency.
   */
  static double mixed(double rate, double whole, double order) {
    double excess = order - 1;
    double exponent = excess * whole;
    return Math.min(whole, Rounding.upAboveZero(LogMixture.of(rate, exponent) / excess));
  }

  /** ln A. */
  private double logMoment() {
    int panels = (int) Math.ceil((2 * FARTHEST + Math.max(order, 2) / sigma) / PANEL);
    double[] ends = new double[panels + 1];
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i <= panels; i++) {
      ends[i] = logIntegrand(-FARTHEST + i * PANEL);
      highest = Math.max(highest, ends[i]);
    }
    int perPanel = (int) Math.ceil(PANEL / (STEP * Math.min(1, sigma)));
    double step = PANEL / perPanel;
    double sum = 0;
    for (int i = 0; i < panels; i++) {
      if (counts(ends, i, highest)) {
        double from = -FARTHEST + i * PANEL;
        for (int j = 0; j < perPanel; j++) {
          sum += Math.exp(logIntegrand(from + j * step) - highest);
        }
      }
    }
    double logRest = highest + Math.log(sum * step) - Math.log(2 * Math.PI) / 2;
    // A divergence too small for a double is rounded up to the smallest one.
    return Math.max(Double.MIN_NORMAL, Exponentials.logOnePlusExp(logRest));
  }

  /** Neighbours count too: the integrand is 0 at u = 0, and a panel may begin there. */
  private static boolean counts(double[] ends, int panel, double highest) {
    for (int i = Math.max(0, panel - 1); i <= Math.min(ends.length - 1, panel + 2); i++) {
      if (ends[i] > highest - DEEPEST) {
        return true;
      }
    }
    return false;
  }

  /** ln((1 + u)^α − 1 − αu) − z²/2. */
  private double logIntegrand(double z) {
    double loss = z / sigma - 1 / (2 * sigma) / sigma;
    double logRatio = LogMixture.of(rate, loss);
    double log;
    if (excess * logRatio > LARGE_EXPONENT) {
      log = order * logRatio;
    } else if (logRatio > LARGE_EXPONENT) {
      // u is about to overflow: α − 1 times the entropy of u, which is u·(ln u − 1), and the rest.
      double rest = excess * (logRatio - 1) + Exponentials.expm1MinusX(excess * logRatio);
      log = logRatio + Math.log(rest);
    } else {
      double u = Math.expm1(logRatio);
      double rest =
          excess * Exponentials.relativeEntropy(u)
              + (1 + u) * Exponentials.expm1MinusX(excess * logRatio);
      log = Math.log(rest);
    }
    return log - z * z / 2;
  }
}
