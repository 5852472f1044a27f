package io.mutune.accountant.pld;

import io.mutune.accountant.Delta;
import java.util.Arrays;

/**
 * Upper bounds on a mechanism's profile h(s), the hockey-stick divergence at s = e^(k·spacing), for
 * whole numbers k of both signs: of the neighbours as they stand at k ≥ 0, and by those turned
 * around below it, as h(s) = 1 − s + s·h′(1/s).
 *
 * @param forward h at k = 0, 1, …, falling
 * @param backward the same of the neighbours turned around
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ProfileTable(double spacing, double[] forward, double[] backward) {
  /** What a table leaves out at its end. */
  private static final double LEAST = 1e-25;

  /** No table is narrower, so that neighbouring e^(k·spacing) are well apart. */
  private static final double NARROWEST = 1e-5;

  /** No table is wider, so that none of its e^(k·spacing) overflows. */
  private static final double WIDEST = 300;

  /** Of the whole mass, what rounding may have added to an infinite loss. */
  private static final double INFINITE_ROUNDING = 0x1p-30;

  /**
   * The table of these releases.
   *
   * @param cells how many on each side
   * @param leastSpacing the least spacing; with it there may be fewer cells
   * @throws ArithmeticException if its losses are too wide for a table
   */
  static ProfileTable of(Part releases, int cells, double leastSpacing) {
    PrivacyLossDistribution ahead = PrivacyLossDistribution.of(releases.loss(), releases.count());
    PrivacyLossDistribution back =
        PrivacyLossDistribution.of(releases.loss().reversed(), releases.count());
    double top = Math.max(NARROWEST, Math.max(top(ahead), top(back)));
    if (!(top <= WIDEST)) {
      throw new ArithmeticException("the losses of a run are too large for a table: " + top);
    }
    double spacing = Math.max(leastSpacing, top / cells);
    double[] places = new double[(int) Math.ceil(top / spacing) + 1];
    Arrays.setAll(places, k -> k * spacing);
    double[] forward = falling(ahead, places);
    return new ProfileTable(spacing, forward, ahead.equals(back) ? forward : falling(back, places));
  }

  private static double top(PrivacyLossDistribution losses) {
    double most = losses.epsilon(least(losses));
    return Double.isInfinite(most) ? losses.largest() : most;
  }

  private static Delta least(PrivacyLossDistribution losses) {
    return Delta.of(Math.min(1, losses.infinite() * (1 + INFINITE_ROUNDING) + LEAST));
  }

  /** A profile falls, so that a bound holds at every larger ε too. */
  private static double[] falling(PrivacyLossDistribution losses, double[] places) {
    double[] deltas = losses.deltas(places, least(losses));
    for (int k = 1; k < deltas.length; k++) {
      deltas[k] = Math.min(deltas[k], deltas[k - 1]);
    }
    return deltas;
  }

  /** At least h(s) at this k. */
  double at(int k) {
    if (k >= 0) {
      return forward[Math.min(k, forward.length - 1)];
    }
    double s = Math.exp(k * spacing);
    return Math.min(1, (1 - s + s * backward[Math.min(-k, backward.length - 1)]) + 4 * Doubles.ULP);
  }

  /**
   * The k on the lower convex hull, from the lowest up. Every other bound is above a chord between
   * two of these, and a chord is a bound too, since a profile is convex in s.
   */
  int[] hull() {
    int last = last();
    double[] odds = new double[2 * last + 1];
    double[] bounds = new double[odds.length];
    Arrays.setAll(odds, i -> Math.exp((i - last) * spacing));
    Arrays.setAll(bounds, i -> at(i - last));
    return Arrays.stream(ProfileLoss.hull(odds, bounds)).map(i -> i - last).toArray();
  }

  /** The table of the neighbours turned around. */
  ProfileTable reversed() {
    return new ProfileTable(spacing, backward, forward);
  }

  /** The largest k that it has. */
  int last() {
    return forward.length - 1;
  }
}
