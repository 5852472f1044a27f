package io.mutune.accountant.gdp;

/**
 * The ε at which ln δ(ε; μ) of {@link HockeyStick}, with its rounding errors on a stated side, is a
 * given one: Newton's method, first on the plain difference of Mills ratios and then on ln δ
 * itself, which costs ten times as much and is asked but once or twice.
 */
final class EpsilonRoot {
  /** Below it the plain difference has too few digits to say where to look. */
  private static final double SMALLEST_MU = 0x1p-10;

  /** Newton's error is about the square of its last step. */
  private static final double SETTLED = 0x1p-28;

  /** Seven are seldom needed, as ln δ is nearly a parabola. */
  private static final int MOST_STEPS = 40;

  private EpsilonRoot() {}

  /**
   * The smallest ε at which {@link HockeyStick#logDeltaUp} is at most {@code logDelta}, within four
   * units in the last place.
   *
   * @param above well above the root; the root is above 0
   */
  static double up(double mu, double logDelta, double above) {
    double start = mu < SMALLEST_MU ? Double.NaN : near(mu, logDelta, above, 1);
    return PrivateSide.whereNotAbove(
        e -> HockeyStick.logDeltaUp(mu, e) - logDelta,
        e -> HockeyStick.logDeltaRoughly(mu, e) - logDelta,
        new PrivateSide.Start(start, HockeyStick.slope(mu, start)),
        0,
        above);
  }

  /** The largest ε at which {@link HockeyStick#logDeltaDown} is at least it, likewise. */
  static double down(double mu, double logDelta, double above) {
    double start = mu < SMALLEST_MU ? Double.NaN : near(mu, logDelta, above, -1);
    return PrivateSide.whereNotBelow(
        e -> HockeyStick.logDeltaDown(mu, e) - logDelta,
        e -> HockeyStick.logDeltaRoughly(mu, e) - logDelta,
        new PrivateSide.Start(start, HockeyStick.slope(mu, start)),
        0,
        above);
  }

  /**
   * Nearly the root; NaN if the steps do not settle. As ln δ is concave in ε, Newton's steps from
   * above come down to the root and do not pass it.
   */
  private static double near(double mu, double logDelta, double above, int side) {
    double epsilon = above;
    for (int i = 0; i < MOST_STEPS; i++) {
      double slope = HockeyStick.slope(mu, epsilon);
      double step = (HockeyStick.logDeltaRoughly(mu, epsilon, side) - logDelta) / slope;
      epsilon -= step;
      if (!(epsilon > 0)) {
        return Double.NaN;
      }
      if (Math.abs(step) <= SETTLED * epsilon) {
        return epsilon;
      }
    }
    return Double.NaN;
  }
}
