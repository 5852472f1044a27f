package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.renyi.SimpleComposition;
import java.util.Optional;

/**
 * Σε and Σδ (Dwork et al. 2006), where what is left of δ by the releases that have one of their own
 * is shared evenly among the Gaussian ones.
 */
final class BasicRule implements Rule {
  @Override
  public Optional<String> unsuited(Releases releases) {
    return OwnGuarantees.unsuited(releases);
  }

  @Override
  public boolean takesDeltaZero(Releases releases) {
    return OwnGuarantees.shares(releases) == 0;
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    double left = delta.value() - OwnGuarantees.fixedDelta(releases);
    if (left < 0) {
      return new NotApplicable("delta is below the sum of the releases' own deltas");
    }
    return OwnGuarantees.of(releases, left)
        .<Answer>map(parts -> Bound.upper(SimpleComposition.basic(parts).epsilon().value()))
        .orElseGet(() -> new NotApplicable("delta leaves the Gaussian releases no share"));
  }

  /** Σε of releases that want no share of δ: no privacy loss is above it but by failure. */
  double largestLoss(Releases releases) {
    return SimpleComposition.basic(OwnGuarantees.of(releases, 0).orElseThrow()).epsilon().value();
  }

  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    double fixed = OwnGuarantees.fixedDelta(releases);
    if (takesDeltaZero(releases)) {
      boolean kept = fixed < 1 && keeps(releases, epsilon, Delta.of(fixed));
      return Bound.upper(kept ? fixed : 1);
    }
    return Bound.upper(Search.smallestDelta(fixed, d -> keeps(releases, epsilon, d)));
  }
}
