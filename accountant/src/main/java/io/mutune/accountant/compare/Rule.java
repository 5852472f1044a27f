package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.util.Optional;
import java.util.function.Function;

/** What one accountant does; what is the same for all of them is done in {@link #answer}. */
interface Rule {
  /** Beyond it squares times counts overflow, and no budget is of any use. */
  double LARGEST = 1e100;

  /** Above 0 for every solver too. */
  double LEAST_EXCESS = 1e-100;

  /** Why these releases are beyond this accountant, whatever δ or ε; empty if they are not. */
  Optional<String> unsuited(Releases releases);

  /** Whether an ε at a δ of 0 may exist. */
  default boolean takesDeltaZero(Releases releases) {
    return false;
  }

  /** For suited releases and a δ below 1; above 0 where 0 is not taken. */
  Answer epsilon(Releases releases, Delta delta);

  /** For suited releases. */
  Answer delta(Releases releases, Epsilon epsilon);

  /** See {@link AccountingMethod#excess}. */
  default double excess(Releases releases, Epsilon epsilon, Delta delta) {
    return answer(this, releases, new EpsilonAt(delta)) instanceof Bound bound
        ? excess(bound.upper(), epsilon.value())
        : Double.POSITIVE_INFINITY;
  }

  /** ln(upper/allowed), but for rounding: at most 0 if and only if {@code upper <= allowed}. */
  static double excess(double upper, double allowed) {
    double ratio = Math.log(upper) - Math.log(allowed);
    if (upper <= allowed) {
      return ratio < 0 ? ratio : 0;
    }
    return ratio > LEAST_EXCESS ? ratio : LEAST_EXCESS;
  }

  /** See {@link AccountingMethod#keeps}. */
  default boolean keeps(Releases releases, Epsilon epsilon, Delta delta) {
    return excess(releases, epsilon, delta) <= 0;
  }

  static Answer answer(Rule rule, Releases releases, Query query) {
    if (releases.mechanisms().isEmpty()) {
      return new Bound(0, 0);
    }
    Optional<String> unsuited = rule.unsuited(releases);
    if (unsuited.isPresent()) {
      return new NotApplicable(unsuited.get());
    }
    if (!areSane(releases)) {
      return query.nothingKnown();
    }
    if (query instanceof EpsilonAt at) {
      return at.delta().value() == 0 && !rule.takesDeltaZero(releases)
          ? new NotApplicable("it gives no epsilon at a delta of 0")
          : rule.epsilon(releases, at.delta());
    }
    Epsilon epsilon = ((DeltaAt) query).epsilon();
    // δ falls as ε grows.
    return rule.delta(releases, Epsilon.of(Math.min(epsilon.value(), LARGEST)));
  }

  /** Whether nothing overflows on the way. */
  static boolean areSane(Releases releases) {
    return releases.mechanisms().stream().allMatch(m -> size(m) <= LARGEST);
  }

  private static double size(Mechanism mechanism) {
    if (mechanism instanceof Gaussian m) {
      return m.mu().orElseThrow().value();
    }
    if (mechanism instanceof SubsampledGaussian m) {
      return size(m.unsampled());
    }
    if (mechanism instanceof PureMechanism m) {
      return m.epsilon().value();
    }
    if (mechanism instanceof ApproximateDp m) {
      return m.epsilon().value();
    }
    if (mechanism instanceof TruncatedConcentrated m) {
      return m.rho();
    }
    if (mechanism instanceof RepeatAndSelect m) {
      return size(m.run());
    }
    throw new IllegalStateException("no one wrote a size for " + mechanism.name());
  }

  /** The reason for what has neither a trade-off curve nor an (ε, δ) of its own. */
  static String byCurveOnly(Mechanism mechanism) {
    String by =
        mechanism instanceof RepeatAndSelect
            ? " is accounted by pld and rdp only"
            : " is accounted in Rényi divergences only";
    return mechanism.name() + by;
  }

  /** The reason for the first mechanism that has one. */
  static Optional<String> firstReason(
      Releases releases, Function<Mechanism, Optional<String>> reason) {
    return releases.mechanisms().stream().map(reason).flatMap(Optional::stream).findFirst();
  }
}
