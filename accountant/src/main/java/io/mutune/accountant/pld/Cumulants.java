package io.mutune.accountant.pld;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * K(λ) = ln E[e^(λL)] of a sum of losses, K′ and K″, to a few digits: for the choice of grids and
 * tilts, on which no guarantee rests.
 *
 * @param largestTilt where the search for a λ ends
 */
record Cumulants(List<Term> terms, double largestTilt) {
  /** More than any tilt that a spread-out loss needs. */
  static final double LARGEST_TILT = 1e12;

  private static final int THIN = 4;
  private static final double THIN_MASS = 1e-40;

  /** e^−50 is below all rounding. */
  private static final double NEGLIGIBLE = -50;

  /** One loss by some of its values, composed {@code count} times. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Term(double[] losses, double[] masses, double[] logMasses, double count) {
    static Term of(PrivacyLoss loss, long count) {
      double[] at = loss.landmarks();
      double[] masses = new double[at.length];
      Split low = loss.at(at[0]);
      masses[0] = low.pBelow();
      for (int i = 1; i < at.length; i++) {
        Split high = loss.at(at[i]);
        double p =
            low.pAbove() <= high.pBelow()
                ? low.pAbove() - high.pAbove()
                : high.pBelow() - low.pBelow();
        // On a lattice what is between two landmarks is at the upper one.
        double up = loss.lattice() > 0 ? 1 : 0.5;
        masses[i] += Math.max(0, p) * up;
        masses[i - 1] += Math.max(0, p) * (1 - up);
        low = high;
      }
      masses[at.length - 1] += low.pAbove();
      return new Term(at, masses, Arrays.stream(masses).map(Math::log).toArray(), count);
    }

    /** Without the losses above {@link #top}, which count as infinite. */
    Term upTo(double mass) {
      int length = topIndex(mass) + 1;
      return new Term(
          Arrays.copyOf(losses, length),
          Arrays.copyOf(masses, length),
          Arrays.copyOf(logMasses, length),
          count);
    }

    /** By fewer of its values, where there are many terms. */
    Term thinned() {
      if (losses.length < 8 * THIN) {
        return this;
      }
      int low = 0;
      for (double below = masses[0]; low < losses.length - 1 && below < THIN_MASS; ) {
        below += masses[++low];
      }
      int length = (losses.length - 1 - low + THIN - 1) / THIN + 1;
      double[] at = new double[length];
      double[] kept = new double[length];
      for (int i = 0; i < losses.length; i++) {
        int to = Math.min(length - 1, Math.max(0, i - low + THIN - 1) / THIN);
        at[to] += masses[i] * losses[i];
        kept[to] += masses[i];
      }
      for (int i = 0; i < length; i++) {
        int highest = Math.min(losses.length - 1, low + i * THIN);
        at[i] = kept[i] > 0 ? at[i] / kept[i] : losses[highest];
      }
      at[length - 1] = losses[losses.length - 1];
      return new Term(at, kept, Arrays.stream(kept).map(Math::log).toArray(), count);
    }

    /** The smallest of the losses above which there is at most this mass. */
    double top(double mass) {
      return losses[topIndex(mass)];
    }

    private int topIndex(double mass) {
      double above = 0;
      for (int i = losses.length - 1; i > 0; i--) {
        above += masses[i];
        if (above > mass) {
          return Math.min(losses.length - 1, i + 1);
        }
      }
      return 0;
    }

    /** The largest of the losses to which all below can be taken, as far as a tilted sum sees. */
    double bottom(double lambda, double share) {
      double below = 0;
      for (int i = 0; i < losses.length - 1; i++) {
        below += masses[i];
        if (below * Math.exp(Math.min(0, lambda * losses[i + 1])) * count > share) {
          return losses[Math.max(0, i - 1)];
        }
      }
      return losses[0];
    }

    /** The losses between which all but such a share of the tilted mass is. */
    double[] bulk(double lambda, double share) {
      double[] weights = new double[losses.length];
      double sum = 0;
      for (int i = 0; i < losses.length; i++) {
        weights[i] = masses[i] * Math.exp(lambda * (losses[i] - losses[losses.length - 1]));
        sum += weights[i];
      }
      int low = 0;
      for (double w = weights[0]; w < share * sum && low < losses.length - 1; ) {
        w += weights[++low];
      }
      int high = losses.length - 1;
      for (double w = weights[high]; w < share * sum && high > 0; ) {
        w += weights[--high];
      }
      return new double[] {
        losses[Math.max(0, low - 1)], losses[Math.min(losses.length - 1, high + 1)]
      };
    }
  }

  /** K, K′ and K″ at λ. */
  record At(double lambda, double value, double mean, double variance) {
    /**
     * ln δ(ε) at the tilted mean ε, as if the tilted sum were normal: the mean of e^(−λY)·(1 −
     * e^−Y) over Y above 0, times e^(K − λε).
     */
    double logDelta() {
      double deviation = Math.sqrt(variance) * Math.sqrt(0.5);
      double near = Erfcx.value(lambda * deviation);
      double far = Erfcx.value((lambda + 1) * deviation);
      double drop = near - far > 1e-12 * near ? near - far : 1e-12 * near;
      return value - lambda * mean + Math.log(drop / 2);
    }

    /** What a saddle point pays for this mean: λK′ − K, which rises with λ. */
    double rate() {
      return lambda * mean - value;
    }
  }

  At at(double lambda) {
    double value = 0;
    double mean = 0;
    double variance = 0;
    for (Term term : terms) {
      double best = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < term.losses.length; i++) {
        best = Math.max(best, term.logMasses[i] + lambda * term.losses[i]);
      }
      double sum = 0;
      double first = 0;
      double second = 0;
      for (int i = 0; i < term.losses.length; i++) {
        double exponent = term.logMasses[i] + lambda * term.losses[i] - best;
        if (exponent > NEGLIGIBLE) {
          double weight = Math.exp(exponent);
          sum += weight;
          first += weight * term.losses[i];
          second += weight * term.losses[i] * term.losses[i];
        }
      }
      double m = first / sum;
      value += term.count * (Math.log(sum) + best);
      mean += term.count * m;
      variance += term.count * Math.max(0, second / sum - m * m);
    }
    return new At(lambda, value, mean, variance);
  }

  /** The λ ≥ 0 whose tilted mean is the ε at which ln δ(ε) is about this. */
  At withLogDelta(double logDelta) {
    return at(nonNegativeRoot(lambda -> logDelta - at(lambda).logDelta()));
  }

  /** The λ ≥ 0 whose tilted mean is this, or the largest tilt. */
  At withMean(double mean) {
    return at(nonNegativeRoot(lambda -> at(lambda).mean() - mean));
  }

  /** The λ ≥ 0 at which a tail has mass e^(−exponent) at most, by Chernoff's bound. */
  At withRate(double exponent) {
    return at(nonNegativeRoot(lambda -> at(lambda).rate() - exponent));
  }

  /** The λ below another one's at which its tilted left tail has mass e^(−exponent) at most. */
  At leftOf(At tilt, double exponent) {
    UnivariateFunction f =
        step -> {
          At left = at(tilt.lambda() - step);
          return tilt.value() - left.value() - step * left.mean() - exponent;
        };
    return at(tilt.lambda() - nonNegativeRoot(f));
  }

  /** The λ above another one's at which its tilted right tail has mass e^(−exponent) at most. */
  At rightOf(At tilt, double exponent) {
    UnivariateFunction f =
        step -> {
          At right = at(tilt.lambda() + step);
          return tilt.value() - right.value() + step * right.mean() - exponent;
        };
    return at(tilt.lambda() + nonNegativeRoot(f));
  }

  /** A root of an increasing function, or an end of the range where there is none. */
  private double nonNegativeRoot(UnivariateFunction f) {
    if (!(f.value(0) < 0)) {
      return 0;
    }
    double high = 1;
    while (f.value(high) < 0) {
      high *= 4;
      if (high > largestTilt) {
        return largestTilt;
      }
    }
    double low = high;
    while (f.value(low) >= 0 && low > 1e-12) {
      low /= 4;
    }
    if (f.value(low) >= 0) {
      return low;
    }
    return new BrentSolver(1e-4, 1e-300).solve(200, f, low, high);
  }
}
