package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;

/** A way to answer: one {@link Accountant}, or the {@link CombinedGuarantee} over all of them. */
public sealed interface AccountingMethod permits Accountant, CombinedGuarantee {
  /** The name in commands and reports. */
  String key();

  /** Never fails for what a mechanism, a δ and an ε may be; what it cannot do it says. */
  Answer answer(Releases releases, Query query);

  /**
   * How far the releases are above a budget, as the logarithm of a ratio: above 0 if this way does
   * not know them to be (ε, δ)-DP together, infinite if it knows nothing of them, and at most 0 if
   * it knows that they are. Between, a guide for a search: no more than that it is continuous where
   * the bound is.
   *
   * @param delta below 1
   */
  double excess(Releases releases, Epsilon epsilon, Delta delta);

  /** Whether this way knows the releases to be (ε, δ)-DP together; δ below 1. */
  default boolean keeps(Releases releases, Epsilon epsilon, Delta delta) {
    return excess(releases, epsilon, delta) <= 0;
  }
}
