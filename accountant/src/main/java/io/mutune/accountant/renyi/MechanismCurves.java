package io.mutune.accountant.renyi;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;

/** Which curve is whose. */
final class MechanismCurves {
  /** Where the two orders of a triangle may lie; each is valid. */
  private static final double[] SPLITS = {17. / 16, 9. / 8, 1.25, 1.5, 2, 3, 5, 9};

  private MechanismCurves() {}

  static RenyiDp of(Mechanism mechanism, Adjacency adjacency) {
    if (mechanism instanceof Gaussian gaussian) {
      return RenyiDp.of(gaussian(gaussian));
    }
    if (mechanism instanceof SubsampledGaussian sampled) {
      return RenyiDp.of(sampled(sampled, adjacency));
    }
    if (mechanism instanceof PureMechanism pure) {
      return RenyiDp.of(release(pure, adjacency).times(pure.count()));
    }
    if (mechanism instanceof ApproximateDp approximate) {
      double epsilon = approximate.epsilon().value();
      RenyiCurve one = epsilon == 0 ? RenyiCurve.NONE : a -> PureCurves.pure(epsilon, a);
      return new RenyiDp(one, approximate.delta().value()).times(approximate.count());
    }
    if (mechanism instanceof TruncatedConcentrated concentrated) {
      RenyiCurve one = TruncatedConcentratedDp.of(concentrated.rho(), concentrated.omega()).curve();
      return RenyiDp.of(one.times(concentrated.count()));
    }
    if (mechanism instanceof RepeatAndSelect selection) {
      return RenyiDp.of(SelectionCurves.of(selection, adjacency));
    }
    throw new IllegalArgumentException(
        "the Rényi accountant does not support the mechanism " + mechanism.name());
  }

  /** α·μ²/2 (Mironov 2017, Proposition 7), with the count within μ. */
  private static RenyiCurve gaussian(Gaussian gaussian) {
    double mu = gaussian.mu().orElseThrow().value();
    return order -> Rounding.upAboveZero(order * mu / 2 * mu);
  }

  private static RenyiCurve sampled(SubsampledGaussian sampled, Adjacency adjacency) {
    if (sampled.samplingRate() == 1) {
      return gaussian(sampled.unsampled());
    }
    double rate = sampled.samplingRate();
    // Rounded down: less noise for the same sensitivity.
    double sigma = Rounding.down(sampled.sigma().value() / sampled.sensitivity());
    RenyiCurve one =
        switch (adjacency) {
          case ADD_REMOVE -> order -> SampledGaussian.divergence(sigma, rate, order);
          case REPLACE_ONE -> order -> replaced(sigma, rate, order);
        };
    return one.times(sampled.count());
  }

  /**
   * A row replaced is a row removed and another added, each of half the sensitivity: D_α(P‖R) ≤ (α
   * − 1/p)/(α − 1)·D_pα(P‖Q) + D_(pα−1)/(p−1)(Q‖R) for every p above 1 (Mironov 2017, Proposition
   * 11). Valid, and near the truth for many steps of small rates; a pair of data sets that is
   * proved to be the worst would give less.
   */
  private static double replaced(double sigma, double rate, double order) {
    double alone = 2 * sigma;
    double whole = Rounding.upAboveZero(order / (2 * sigma) / sigma);
    double least = SampledGaussian.mixed(rate, whole, order);
    for (double p : SPLITS) {
      double first = SampledGaussian.divergence(alone, rate, p * order);
      double second = SampledGaussian.divergence(alone, rate, (p * order - 1) / (p - 1));
      double sum = (order - 1 / p) / (order - 1) * first + second;
      least = Math.min(least, Rounding.up(sum));
    }
    return least;
  }

  private static RenyiCurve release(PureMechanism mechanism, Adjacency adjacency) {
    double epsilon = mechanism.epsilon().value();
    if (mechanism instanceof Laplace) {
      return order -> PureCurves.laplace(epsilon, order);
    }
    if (mechanism instanceof ExponentialMechanism) {
      return order -> PureCurves.boundedRange(epsilon, order);
    }
    if (mechanism instanceof SubsampledLaplace sampled) {
      double whole = sampled.unsampled().epsilon().value();
      double rate = sampled.samplingRate();
      RenyiCurve simple =
          order ->
              Math.min(
                  PureCurves.pure(epsilon, order),
                  SampledGaussian.mixed(rate, PureCurves.laplace(whole, order), order));
      return switch (adjacency) {
        case ADD_REMOVE ->
            order -> Math.min(simple.at(order), SampledLaplace.divergence(whole, rate, order));
        case REPLACE_ONE -> simple;
      };
    }
    return order -> PureCurves.pure(epsilon, order);
  }
}
