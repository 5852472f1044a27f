package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * A pair with finitely many losses whose profile is nowhere below the profile of which bounds are
 * given: the lower convex hull of the bounds, which are of both directions of the neighbours, as
 * h(t) = 1 − t + t·h′(1/t). Every chord of a hull is a bound, since a profile is convex in t.
 *
 * <p>Where the hull's slope rises by q at t, Q has the mass q at the loss ln t and P has t·q;
 * beyond the last place, what the profile may still be is P's mass of infinite losses.
 */
final class ProfileLoss implements PrivacyLoss {
  /** How far places are moved outwards, for what e^(k·spacing) rounds by. */
  private static final double ROOM = 0x1p-38;

  /** Beyond it e^loss is no ordinary double. */
  private static final double WIDEST = 600;

  /** Fewer would not do for planning, and more are of no use. */
  private static final int LANDMARKS = 1000;

  private final double[] losses;
  private final double[] pBelow;
  private final double[] pAbove;
  private final double[] qBelow;
  private final double[] qAbove;
  private final double infinite;
  private final ProfileTable bounds;

  private ProfileLoss(
      ProfileTable bounds, double[] losses, double[] p, double[] q, double infinite) {
    this.bounds = bounds;
    this.losses = losses;
    this.pBelow = below(p);
    this.pAbove = above(p);
    this.qBelow = below(q);
    this.qAbove = above(q);
    this.infinite = infinite;
  }

  /**
   * The pair above these bounds.
   *
   * @throws ArithmeticException if a place leaves the range of doubles
   */
  static ProfileLoss of(ProfileTable known) {
    double spacing = known.spacing();
    ProfileTable turned = known.reversed();
    int below = turned.last();
    int size = below + known.last() + 1;
    if (!(spacing * Math.max(below, known.last()) <= WIDEST)) {
      throw new ArithmeticException("the losses of a selection are too large");
    }
    double[] odds = new double[size + 1];
    double[] bounds = new double[size + 1];
    bounds[0] = 1;
    for (int i = 0; i < size; i++) {
      int k = i - below;
      double t = Math.exp(k * spacing) * (k < 0 ? 1 - 2 * ROOM : 1 + ROOM);
      odds[i + 1] = t;
      bounds[i + 1] = k < 0 ? 1 - t + t * turned.at(-k) + 4 * Doubles.ULP : known.at(k);
    }
    // The variation distance is the same in both directions, each for its own place next to 1.
    bounds[below + 1] = Math.min(known.at(0), turned.at(0) + ROOM);
    return ofHull(known, odds, bounds, hull(odds, bounds));
  }

  /** The places of the lower convex hull; the first and the last are among them. */
  static int[] hull(double[] t, double[] h) {
    int[] kept = new int[t.length];
    int size = 0;
    for (int i = 0; i < t.length; i++) {
      while (size > 1
          && slope(t, h, kept[size - 2], kept[size - 1]) >= slope(t, h, kept[size - 1], i)) {
        size--;
      }
      kept[size++] = i;
    }
    return Arrays.copyOf(kept, size);
  }

  private static double slope(double[] t, double[] h, int a, int b) {
    return (h[b] - h[a]) / (t[b] - t[a]);
  }

  private static ProfileLoss ofHull(ProfileTable known, double[] t, double[] h, int[] hull) {
    int size = hull.length - 1;
    // Sums of as many slopes and masses, each of which rounds a few times.
    double room = 1 + 16 * (size + 8) * Doubles.ULP;
    double[] losses = new double[size];
    double[] p = new double[size];
    double[] q = new double[size];
    double before = slope(t, h, 0, hull[1]);
    for (int i = 0; i < size; i++) {
      int at = hull[i + 1];
      double after = i + 1 < size ? slope(t, h, at, hull[i + 2]) : 0;
      losses[i] = Math.log(t[at]);
      q[i] = Math.max(0, after - before) * room;
      p[i] = t[at] * q[i] * (1 + 2 * Doubles.ULP);
      before = after;
    }
    return new ProfileLoss(known, losses, p, q, Math.min(1, h[h.length - 1] * room));
  }

  private static double[] below(double[] masses) {
    double[] sums = new double[masses.length + 1];
    for (int i = 0; i < masses.length; i++) {
      sums[i + 1] = sums[i] + masses[i];
    }
    return sums;
  }

  private static double[] above(double[] masses) {
    double[] sums = new double[masses.length + 1];
    for (int i = masses.length - 1; i >= 0; i--) {
      sums[i] = sums[i + 1] + masses[i];
    }
    return sums;
  }

  @Override
  public Split at(double loss) {
    int found = Arrays.binarySearch(losses, loss);
    int below = found >= 0 ? found + 1 : -found - 1;
    return new Split(
        pBelow[below],
        pAbove[below],
        qBelow[below],
        qAbove[below],
        (losses.length + 8) * Doubles.ULP,
        8 * Doubles.ULP * (1 + Math.abs(loss)));
  }

  @Override
  public double[] landmarks() {
    int stride = Math.max(1, losses.length / LANDMARKS);
    int count = (losses.length - 2) / stride + 2;
    double[] some = new double[count];
    Arrays.setAll(some, i -> losses[i < count - 1 ? i * stride : losses.length - 1]);
    return some;
  }

  @Override
  public double infinite() {
    return infinite;
  }

  @Override
  public double largest() {
    return losses[losses.length - 1] + 16 * Doubles.ULP * (1 + Math.abs(losses[losses.length - 1]));
  }

  /** By the same bounds: what this one's masses round by is not turned around. */
  @Override
  public PrivacyLoss reversed() {
    return of(bounds.reversed());
  }
}
