package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;

/**
 * {@code count} adaptive releases of which nothing is known but that each is (ε, 0)-DP.
 *
 * @param epsilon of one release, above 0
 * @param count at least 1
 */
public record PureDp(Epsilon epsilon, long count) implements PureMechanism {
  static final LedgerForm<PureDp> FORM = LedgerForm.ofReleases("pure-dp", PureDp::new);

  public PureDp {
    Require.releases(epsilon, count);
  }

  @Override
  public String name() {
    return FORM.name();
  }
}
