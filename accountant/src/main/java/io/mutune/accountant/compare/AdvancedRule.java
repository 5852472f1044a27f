package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.renyi.SimpleComposition;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import java.util.List;
import java.util.Optional;

/**
 * Advanced composition of releases that may differ (Kairouz, Oh and Viswanath 2015, Theorem 3.5).
 * What is left of δ by the releases that have one of their own is the slack δ'; where there are
 * Gaussian releases, half of it is, and they share the other half evenly.
 */
final class AdvancedRule implements Rule {
  @Override
  public Optional<String> unsuited(Releases releases) {
    return OwnGuarantees.unsuited(releases);
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    double left = delta.value() - OwnGuarantees.fixedDelta(releases);
    double shared = OwnGuarantees.shares(releases) > 0 ? left / 2 : 0;
    double slack = left - shared;
    if (!(slack > 0)) {
      return new NotApplicable("delta is not above the sum of the releases' own deltas");
    }
    Optional<List<Release>> parts = OwnGuarantees.of(releases, shared);
    return parts.isEmpty()
        ? new NotApplicable("delta leaves the Gaussian releases no share")
        : Bound.upper(SimpleComposition.advanced(parts.get(), Delta.of(slack)).epsilon().value());
  }

  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    double fixed = OwnGuarantees.fixedDelta(releases);
    return Bound.upper(Search.smallestDelta(fixed, d -> keeps(releases, epsilon, d)));
  }
}
