package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.RandomizedResponse;
import java.util.stream.Stream;

/**
 * Closed forms that no true bound of releases is below, to hold a numerical composition against:
 * what their Gaussians cost alone, and what n randomised responses cost by the one outcome that all
 * of them are true.
 */
final class ClosedFormLowerBound {
  /** What rounding may take from a floor. */
  private static final double ROUNDING = 1e-9;

  private ClosedFormLowerBound() {}

  /** At most the smallest ε of this δ. */
  static double epsilon(Releases releases, Delta delta) {
    Releases gaussian = releases.only(Releases::isGaussian);
    double floor = 0;
    if (!gaussian.mechanisms().isEmpty()) {
      floor = GaussianDp.of(gaussian.mu()).epsilonAtMost(delta).value();
    }
    double all = allTrue(releases);
    double lost = delta.value() * Math.exp(-logAllTrue(releases));
    floor = Math.max(floor, lost < 1 ? all + Math.log1p(-lost) : 0);
    return floor * (1 - ROUNDING);
  }

  /** At most the smallest δ of this ε. */
  static double delta(Releases releases, Epsilon epsilon) {
    Releases gaussian = releases.only(Releases::isGaussian);
    double floor =
        gaussian.mechanisms().isEmpty() ? 0 : GaussianDp.of(gaussian.mu()).deltaAtMost(epsilon);
    double over = Math.max(0, allTrue(releases) - epsilon.value());
    floor = Math.max(floor, -Math.expm1(-over) * Math.exp(logAllTrue(releases)));
    return floor * (1 - ROUNDING);
  }

  private static boolean isWorstCase(Mechanism mechanism) {
    return mechanism instanceof PureDp || mechanism instanceof RandomizedResponse;
  }

  private static Stream<PureMechanism> worstCases(Releases releases) {
    return releases.mechanisms().stream()
        .filter(ClosedFormLowerBound::isWorstCase)
        .map(PureMechanism.class::cast);
  }

  /** The loss where all randomised responses are true. */
  private static double allTrue(Releases releases) {
    return worstCases(releases).mapToDouble(m -> m.count() * m.epsilon().value()).sum();
  }

  /** ln of its probability, Σ −n·ln(1 + e^(−ε)). */
  private static double logAllTrue(Releases releases) {
    return worstCases(releases)
        .mapToDouble(m -> -m.count() * Math.log1p(Math.exp(-m.epsilon().value())))
        .sum();
  }
}
