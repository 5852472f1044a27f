package io.mutune.accountant.pld;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;

/** δ(ε) of one loss, P(L > ε) − e^ε·Q(L > ε), and its inverse: no grid is needed for them. */
final class SingleLoss {
  /** More than it takes from any bracket to neighbouring doubles. */
  private static final int BISECTIONS = 200;

  private SingleLoss() {}

  /** At least δ(ε). */
  static double deltaAbove(PrivacyLoss loss, double epsilon) {
    return Math.min(1, bound(loss, epsilon, 1));
  }

  /**
   * At least δ(ε) for a side of 1, at most δ(ε) for −1; may leave [0, 1] by what it is off.
   *
   * <p>P − e^ε·Q of any event is at most δ(ε), so that a split that is off needs nothing from
   * below. From above, δ at the place of a split just below ε is what its masses say, and no less
   * than δ(ε).
   */
  static double bound(PrivacyLoss loss, double epsilon, int side) {
    double place = epsilon;
    double odds = Math.exp(epsilon);
    if (side > 0) {
      double shift = 2 * loss.at(epsilon).shift();
      place = epsilon - shift;
      odds = Math.exp(epsilon - 2 * shift - 2 * Doubles.ULP * Math.abs(epsilon));
    }
    Split s = loss.at(place);
    // Below the smallest normal double nothing is said of a relative error.
    double qAbove =
        side < 0
            ? Math.max(Double.MIN_NORMAL, s.qAbove())
            : s.qAbove() < Double.MIN_NORMAL ? 0 : s.qAbove();
    double q = qAbove > 0 ? Math.min(s.pAbove(), odds * qAbove) : 0;
    if (s.pAbove() == 0) {
      // It underflowed, but beyond the largest loss.
      boolean isNone = side < 0 || place >= loss.largest();
      return loss.infinite() + (isNone ? 0 : Double.MIN_NORMAL);
    }
    double error = (s.relative() + 4 * Doubles.ULP) * (s.pAbove() + q) + Double.MIN_NORMAL;
    return loss.infinite() + s.pAbove() - q + side * error;
  }

  /** At least the smallest ε ≥ 0 of this δ; infinite if there is none. */
  static double epsilonAbove(PrivacyLoss loss, double delta) {
    return loss instanceof PoissonSubsampledLoss sampled
        ? sampled(sampled, delta, 1)
        : root(loss, delta, 1);
  }

  /** At most the smallest ε ≥ 0 of this δ. */
  static double epsilonBelow(PrivacyLoss loss, double delta) {
    return loss instanceof PoissonSubsampledLoss sampled
        ? sampled(sampled, delta, -1)
        : root(loss, delta, -1);
  }

  /**
   * (1 − q)·Q + q·P − e^ε·Q = q·(P − e^ε′·Q) with e^ε = 1 + q·(e^ε′ − 1), so that δ(ε) is q times
   * δ(ε′) without sampling.
   */
  private static double sampled(PoissonSubsampledLoss loss, double delta, int side) {
    double rounded = delta / loss.q() * (1 - side * Doubles.ULP);
    // Of a subnormal the factor is nothing.
    double whole =
        rounded == 0 || rounded >= Double.MIN_NORMAL
            ? rounded
            : side > 0 ? Math.nextDown(rounded) : Math.nextUp(rounded);
    if (whole >= 1) {
      return 0;
    }
    double inner = side > 0 ? baseAbove(loss.base(), whole) : baseBelow(loss.base(), whole);
    return side > 0 ? loss.sampledAbove(inner) : loss.sampledBelow(inner);
  }

  private static double baseAbove(PrivacyLoss base, double delta) {
    return base instanceof GaussianLoss loss && delta > 0
        ? GaussianDp.of(Mu.of(loss.mu())).epsilon(Delta.of(delta)).value()
        : root(base, delta, 1);
  }

  private static double baseBelow(PrivacyLoss base, double delta) {
    return base instanceof GaussianLoss loss && delta > 0
        ? GaussianDp.of(Mu.of(loss.mu())).epsilonAtMost(Delta.of(delta)).value()
        : root(base, delta, -1);
  }

  private static double root(PrivacyLoss loss, double delta, int side) {
    if (bound(loss, 0, side) <= delta) {
      return 0;
    }
    double high = 1;
    while (!(bound(loss, high, side) <= delta)) {
      high *= 2;
      if (Double.isInfinite(high)) {
        return high;
      }
    }
    double low = 0;
    for (int i = 0; i < BISECTIONS && Math.nextUp(low) < high; i++) {
      double middle = low + (high - low) / 2;
      if (bound(loss, middle, side) <= delta) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return side > 0 ? high : low;
  }
}
