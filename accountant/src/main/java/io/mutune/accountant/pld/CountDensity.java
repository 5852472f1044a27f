package io.mutune.accountant.pld;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;

/**
 * φ′(1 − u), where φ(z) = E[z^K] is the generating function of a number of runs K: the weight with
 * which an output is released that a share u of all outputs is better than. A power series in z
 * with no coefficient below 0, so it falls with u and is convex.
 *
 * <p>Good to 2^−40 relatively ({@link SelectionLines} adds that).
 */
interface CountDensity {
  /** φ′(1 − u), for u from 0 to 1. */
  double at(double u);

  /** φ″(1 − u), by which it falls. */
  double slope(double u);

  static CountDensity of(TrialCount trials) {
    if (trials instanceof TruncatedNegativeBinomial law) {
      return new NegativeBinomial(law.mean(), law.shape(), (1 - law.gamma()) / law.gamma());
    }
    if (trials instanceof PoissonTrials law) {
      return new Poisson(law.mean());
    }
    if (trials instanceof BinomialTrials law) {
      return new Binomial(law.most(), law.probability());
    }
    throw new IllegalStateException("no one wrote a generating function for " + trials.name());
  }

  /**
   * m·(1 + o·u)^−(1 + η): φ is ((1 − (1 − γ)z)^−η − 1)/(γ^−η − 1), and its limit for η = 0.
   *
   * @param odds (1 − γ)/γ
   */
  record NegativeBinomial(double mean, double shape, double odds) implements CountDensity {
    @Override
    public double at(double u) {
      return mean * Math.exp(-(1 + shape) * Math.log1p(odds * u));
    }

    @Override
    public double slope(double u) {
      return at(u) * (1 + shape) * odds / (1 + odds * u);
    }
  }

  /** n·p·(1 − pu)^(n − 1): φ is (1 − p + pz)^n. */
  record Binomial(int most, double probability) implements CountDensity {
    @Override
    public double at(double u) {
      return most * probability * power(most - 1, u);
    }

    @Override
    public double slope(double u) {
      return most == 1 ? 0 : most * probability * (most - 1) * probability * power(most - 2, u);
    }

    /** (1 − pu)^n; what is left of 1 is exact where it would cancel. */
    private double power(int exponent, double u) {
      double product = probability * u;
      double log =
          product > 0.5
              ? Math.log((1 - probability) + probability * (1 - u))
              : Math.log1p(-product);
      return Math.exp(exponent * log);
    }
  }

  /** m·e^(−mu): φ is e^(m(z − 1)). */
  record Poisson(double mean) implements CountDensity {
    @Override
    public double at(double u) {
      return mean * Math.exp(-mean * u);
    }

    @Override
    public double slope(double u) {
      return mean * at(u);
    }
  }
}
