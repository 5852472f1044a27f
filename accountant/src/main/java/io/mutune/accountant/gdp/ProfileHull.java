package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.InverseErfc;

/**
 * Straight lines that no privacy profile of a study is above, and the least μ beside a δ₀ whose
 * profile δ₀ + (1 − δ₀)·δ(ε; μ) is nowhere below them.
 *
 * <p>A profile h(t), the hockey-stick divergence at t = e^ε, is convex in t, falls, and is 1 − t +
 * t·h′(1/t) with the profile h′ of the neighbours in reverse order. So bounds of both orders at a
 * few t ≥ 1 hold at their inverses too, and between two points of either kind the chord is a bound.
 * Beyond the last point h is at most δ₀. This is without δ₀: (h − δ₀)/(1 − δ₀) has the same
 * properties.
 *
 * <p>A chord is below δ(ε; μ) where one line below δ(ε; μ) is above both of its ends. Every test
 * gives such a line: that N(·, 1) is above a threshold has the probabilities Φ(−a) and Φ(−a − μ),
 * and Φ(−a) − t·Φ(−a − μ) is at most the divergence at every t. The threshold of the chord's own
 * slope is tried. So nothing is left out between points.
 */
public final class ProfileHull {
  /** So many raise μ by less than a thousandth ({@code ProfileHullTest}). */
  private static final int CHORDS = 256;

  /** Up to it e^ε and its inverse are ordinary doubles. */
  public static final double LARGEST = 600;

  /** No larger than what e^0 is taken for: then h is at most δ₀ from there on. */
  private static final double ONE = 1 + 8 * HockeyStick.ULP;

  /** Beyond it a normal tail is no ordinary double. */
  private static final double FARTHEST = 36;

  private static final double LEAST_MU = 1e-12;

  /** Above it nothing is protected. */
  private static final double MOST_MU = 64;

  /** How closely the least μ is searched for, from above. */
  private static final double ACCURACY = 1e-8;

  /** Ascending, the last with a bound of 0. */
  private final double[] odds;

  /** (δ − δ₀)/(1 − δ₀) at those. */
  private final double[] bounds;

  private final Delta delta0;

  private ProfileHull(double[] odds, double[] bounds, Delta delta0) {
    this.odds = odds;
    this.bounds = bounds;
    this.delta0 = delta0;
  }

  /**
   * Places at which bounds of a profile are wanted: ε from 0 to one at which δ is at most δ₀, so
   * many that chords between them raise μ little.
   *
   * @param beyond that ε
   */
  public static double[] places(double beyond) {
    double[] epsilons = new double[CHORDS + 1];
    for (int i = 0; i <= CHORDS; i++) {
      // Denser where t is near 1, since profiles are steepest there.
      double part = (double) i / CHORDS;
      epsilons[i] = beyond * part * part;
    }
    return epsilons;
  }

  /**
   * The lines through bounds of a profile.
   *
   * @param epsilons ascending from 0, at most {@link #LARGEST}
   * @param deltas at least δ(ε) there, in both orders of the neighbours; of the last ε it is taken
   *     as known that δ is at most {@code delta0}
   */
  public static ProfileHull of(double[] epsilons, double[] deltas, Delta delta0) {
    int last = epsilons.length - 1;
    double[] odds = new double[2 * epsilons.length];
    double[] bounds = new double[odds.length];
    for (int i = 0; i <= last; i++) {
      double bound = i == last ? 0 : excess(deltas[i], delta0.value());
      // At a slightly larger t a bound holds all the more.
      double above = Math.exp(epsilons[i]) * (1 + 4 * HockeyStick.ULP);
      odds[last + 1 + i] = above;
      bounds[last + 1 + i] = bound;
      odds[last - i] = 1 / above * (1 + 4 * HockeyStick.ULP);
      bounds[last - i] = 1 - 1 / above + bound / above + 4 * HockeyStick.ULP;
    }
    return hull(odds, bounds, delta0);
  }

  private static double excess(double delta, double delta0) {
    return delta <= delta0 ? 0 : (delta - delta0) / (1 - delta0) + 4 * HockeyStick.ULP * delta;
  }

  /** The lower convex hull: any points of a bound are one, so rounding cannot make it wrong. */
  private static ProfileHull hull(double[] odds, double[] bounds, Delta delta0) {
    int[] kept = new int[odds.length];
    int size = 0;
    for (int i = 0; i < odds.length; i++) {
      while (size > 1 && !turnsUp(odds, bounds, kept[size - 2], kept[size - 1], i)) {
        size--;
      }
      kept[size++] = i;
    }
    double[] t = new double[size];
    double[] w = new double[size];
    for (int i = 0; i < size; i++) {
      t[i] = odds[kept[i]];
      w[i] = bounds[kept[i]];
    }
    return new ProfileHull(t, w, delta0);
  }

  private static boolean turnsUp(double[] t, double[] w, int a, int b, int c) {
    return (w[b] - w[a]) * (t[c] - t[b]) < (w[c] - w[b]) * (t[b] - t[a]);
  }

  /** The least μ, rounded up; empty if none up to 64 is known to do. */
  public Optional<ApproximateGaussianDp> least() {
    if (isBelow(0)) {
      return Optional.of(new ApproximateGaussianDp(Mu.ZERO, delta0));
    }
    double above = 1;
    while (!isBelow(above)) {
      above *= 2;
      if (above > MOST_MU) {
        return Optional.empty();
      }
    }
    double below = above / 2;
    while (below > LEAST_MU && isBelow(below)) {
      above = below;
      below /= 2;
    }
    while (above - below > ACCURACY * above) {
      double middle = below + (above - below) / 2;
      if (isBelow(middle)) {
        above = middle;
      } else {
        below = middle;
      }
    }
    return Optional.of(new ApproximateGaussianDp(Mu.of(above), delta0));
  }

  /** Whether it is shown that μ is enough beside this δ₀. */
  boolean isBelow(double mu) {
    if (!(mu > 0)) {
      return odds[odds.length - 1] <= ONE;
    }
    for (int i = 0; i + 1 < odds.length; i++) {
      // The rest follows from the other order of the neighbours.
      if (odds[i + 1] > 1 && !isChordBelow(i, mu)) {
        return false;
      }
    }
    return true;
  }

  private boolean isChordBelow(int i, double mu) {
    double fall = (bounds[i] - bounds[i + 1]) / (odds[i + 1] - odds[i]);
    if (bounds[i] <= 0 && bounds[i + 1] <= 0) {
      return true;
    }
    double threshold = Math.sqrt(2) * InverseErfc.value(2 * Math.min(1, Math.max(0, fall))) - mu;
    double least = Math.log(odds[i]) / mu - mu / 2;
    double most = Math.log(odds[i + 1]) / mu - mu / 2;
    threshold = Math.min(most, Math.max(least, threshold));
    return reaches(threshold, mu, odds[i], bounds[i])
        && reaches(threshold, mu, odds[i + 1], bounds[i + 1]);
  }

  /** Whether Φ(−a) − t·Φ(−a − μ) is at least this bound, all rounding against it. */
  private static boolean reaches(double a, double mu, double t, double bound) {
    double b = a + mu;
    if (!(Math.abs(a) < FARTHEST && Math.abs(b) < FARTHEST)) {
      return false;
    }
    double p = tail(a);
    double q = t * tail(b);
    return p - q - p * error(a) - q * error(b) >= bound;
  }

  private static double tail(double z) {
    return Erfc.value(z * Math.sqrt(0.5)) / 2;
  }

  /**
   * Bounds the relative error of a tail whose argument is off by three roundings, and of what is
   * done with it: d ln Φ(−z) is at most (1 + |z|)·dz.
   */
  private static double error(double z) {
    return (16 + 4 * z * z) * HockeyStick.ULP;
  }
}
