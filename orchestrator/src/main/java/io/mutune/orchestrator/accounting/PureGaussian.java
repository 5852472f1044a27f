package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;

/** Both ends of what Gaussian DP answers from one side. */
final class PureGaussian {
  static final String ACCOUNTANT = "gdp";

  /** Covers the few roundings of a formula in doubles. */
  private static final double ROOM = 0x1p-44;

  private PureGaussian() {}

  /**
   * At least the largest μ whose guarantee is (ε, δ), by a few units in the last place: its own ε,
   * rounded down, is no smaller.
   */
  static Mu muAtLeast(Epsilon epsilon, Delta delta) {
    double below = GaussianDp.ofBudget(epsilon, delta).mu().value();
    double room = ROOM;
    while (!reaches(below * (1 + room), epsilon, delta)) {
      room *= 2;
    }
    double above = below * (1 + room);
    while (above - below > 2 * Math.ulp(above)) {
      double middle = below + (above - below) / 2;
      if (reaches(middle, epsilon, delta)) {
        above = middle;
      } else {
        below = middle;
      }
    }
    return Mu.of(above);
  }

  /** Whether no smaller ε would do for this μ: where ε is 0, that not even 0 does. */
  private static boolean reaches(double mu, Epsilon epsilon, Delta delta) {
    GaussianDp dp = GaussianDp.of(Mu.of(mu));
    return epsilon.value() == 0
        ? dp.epsilon(delta).value() > 0
        : dp.epsilonAtMost(delta).value() >= epsilon.value();
  }

  /** At most the smallest δ: ln δ less what its rounding may be, which grows with ε/μ. */
  static double deltaAtMost(GaussianDp dp, Epsilon epsilon) {
    double mu = dp.mu().value();
    if (mu == 0) {
      return 0;
    }
    double log = dp.logDelta(epsilon);
    double quotient = epsilon.value() / mu;
    double distance = Math.abs(quotient - mu / 2);
    double slack = ROOM * (1 + Math.abs(log) + quotient * (1 + distance));
    return Double.isFinite(slack) ? Math.max(0, Math.nextDown(Math.exp(log - slack))) : 0;
  }

  /** At most the value of a formula whose result was rounded up. */
  static double below(double roundedUp) {
    return Math.nextDown(roundedUp - Math.abs(roundedUp) * ROOM);
  }

  /** At least the value of a formula whose result was rounded down. */
  static double above(double roundedDown) {
    return Math.nextUp(roundedDown + Math.abs(roundedDown) * ROOM);
  }
}
