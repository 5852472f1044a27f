package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;

/** A way to answer: one {@link Accountant}, or the {@link Guarantee} over all of them. */
public sealed interface Method permits Accountant, Guarantee {
  /** The name in commands and reports. */
  String key();

  /** Never fails for what a mechanism, a δ and an ε may be; what it cannot do it says. */
  Answer answer(Releases releases, Query query);

  /** Whether this way knows the releases to be (ε, δ)-DP together; δ below 1. */
  default boolean keeps(Releases releases, Epsilon epsilon, Delta delta) {
    return answer(releases, new EpsilonAt(delta)) instanceof Bound bound
        && bound.upper() <= epsilon.value();
  }
}
