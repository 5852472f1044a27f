package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.pld.EpsilonInterval;
import io.mutune.accountant.pld.PldAccountant;
import java.util.Optional;
import java.util.function.Supplier;

/** Numerical composition of privacy loss distributions. */
final class LossDistributionRule implements Rule {
  /** Nearer than this to the probability of failure, relatively, rounding decides. */
  private static final double NEAR = 1e-9;

  @Override
  public Optional<String> unsuited(Releases releases) {
    return Rule.firstReason(releases, m -> PldAccountant.reasonAgainst(m, releases.adjacency()));
  }

  private static PldAccountant of(Releases releases) {
    return PldAccountant.of(releases.mechanisms(), releases.adjacency());
  }

  /**
   * What the numbers cannot do, at the ends of their ranges, is said and never guessed. Any other
   * exception is a mistake of ours, and is not taken for an answer.
   */
  private static Answer tried(Supplier<Bound> bound) {
    try {
      return bound.get();
    } catch (ArithmeticException e) {
      return new NotApplicable("the numerical composition breaks down here: " + e.getMessage());
    }
  }

  /** An upper end that is below a closed form is wrong, and is not an answer. */
  private static double held(double upper, double floor) {
    if (upper < floor) {
      throw new ArithmeticException(
          "an upper end of %s is below the closed form's %s".formatted(upper, floor));
    }
    return upper;
  }

  private static double upper(Releases releases, Delta delta) {
    return held(of(releases).epsilon(delta), ClosedFormLowerBound.epsilon(releases, delta));
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    return tried(() -> interval(releases, delta));
  }

  private static Bound interval(Releases releases, Delta delta) {
    Releases attained = releases.only(LossDistributionRule::isAttained);
    if (attained.equals(releases)) {
      EpsilonInterval interval = of(releases).interval(delta);
      double upper = held(interval.upper(), ClosedFormLowerBound.epsilon(releases, delta));
      return new Bound(trusted(interval.lower(), releases, delta), upper);
    }
    double upper = upper(releases, delta);
    double lower =
        attained.mechanisms().isEmpty()
            ? 0
            : trusted(of(attained).interval(delta).lower(), attained, delta);
    return new Bound(Math.min(lower, upper), upper);
  }

  /**
   * Whether the pair used is reached by the mechanism. An exponential mechanism costs less than the
   * worst ε-DP mechanism that stands for it, and a selection less than that of the worst order of
   * its outputs; what is asked beside them costs at least itself.
   */
  private static boolean isAttained(Mechanism mechanism) {
    return !(mechanism instanceof ExponentialMechanism || mechanism instanceof RepeatAndSelect);
  }

  /** That no ε is enough is believed only where δ is clearly below the probability of failure. */
  private static double trusted(double lower, Releases releases, Delta delta) {
    return Double.isInfinite(lower) && !(delta.value() < failure(releases) * (1 - NEAR))
        ? 0
        : lower;
  }

  private static double failure(Releases releases) {
    double kept = 0;
    for (Mechanism mechanism : releases.mechanisms()) {
      if (mechanism instanceof ApproximateDp m) {
        kept += m.count() * Math.log1p(-m.delta().value());
      }
    }
    return -Math.expm1(kept);
  }

  /** No loss is above the sum of the releases' ε where none is Gaussian: then only failure is. */
  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    if (new BasicRule().unsuited(releases).isEmpty()
        && new BasicRule().takesDeltaZero(releases)
        && new BasicRule().largestLoss(releases) <= epsilon.value()) {
      double failure = failure(releases);
      return new Bound(failure * (1 - NEAR), failure == 0 ? 0 : Math.min(1, failure * (1 + NEAR)));
    }
    return tried(() -> deltas(releases, epsilon));
  }

  private static Bound deltas(Releases releases, Epsilon epsilon) {
    double upper =
        held(of(releases).delta(epsilon).value(), ClosedFormLowerBound.delta(releases, epsilon));
    Releases attained = releases.only(LossDistributionRule::isAttained);
    double lower = attained.mechanisms().isEmpty() ? 0 : of(attained).deltaAtMost(epsilon);
    return new Bound(Math.min(lower, upper), upper);
  }

  /** Without the lower end, which nobody asked for. */
  @Override
  public double excess(Releases releases, Epsilon epsilon, Delta delta) {
    if (releases.mechanisms().isEmpty()) {
      return 0;
    }
    return delta.value() > 0
            && Rule.areSane(releases)
            && unsuited(releases).isEmpty()
            && tried(() -> Bound.upper(upper(releases, delta))) instanceof Bound bound
        ? Rule.excess(bound.upper(), epsilon.value())
        : Double.POSITIVE_INFINITY;
  }
}
