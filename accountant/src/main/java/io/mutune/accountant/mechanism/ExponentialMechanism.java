package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;

/**
 * {@code count} adaptive choices by the exponential mechanism, each with probabilities proportional
 * to exp(ε·u/(2Δ)) for scores u of sensitivity Δ: ε-DP, and more than that of bounded range ε, so
 * that no two outcomes' losses are further apart than ε (Dong, Durfee and Rogers 2020).
 *
 * @param epsilon of one release, above 0
 * @param count at least 1
 */
public record ExponentialMechanism(Epsilon epsilon, long count) implements PureMechanism {
  static final LedgerForm<ExponentialMechanism> FORM =
      LedgerForm.ofReleases("exponential-mechanism", ExponentialMechanism::new);

  public ExponentialMechanism {
    Require.releases(epsilon, count);
  }

  @Override
  public String name() {
    return FORM.name();
  }
}
