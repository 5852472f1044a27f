package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;

/**
 * {@code count} adaptive answers of one bit, each true with probability e^ε/(1 + e^ε): the worst of
 * all ε-DP mechanisms, and so as costly as {@link PureDp}.
 *
 * @param epsilon of one release, above 0
 * @param count at least 1
 */
public record RandomizedResponse(Epsilon epsilon, long count) implements PureMechanism {
  static final LedgerForm<RandomizedResponse> FORM =
      LedgerForm.ofReleases("randomized-response", RandomizedResponse::new);

  public RandomizedResponse {
    Require.releases(epsilon, count);
  }

  @Override
  public String name() {
    return FORM.name();
  }
}
