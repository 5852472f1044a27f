package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.Map;

/**
 * {@code count} adaptive answers of one bit, each true with probability e^ε/(1 + e^ε): the worst of
 * all ε-DP mechanisms, and so as costly as {@link PureDp}.
 *
 * @param epsilon of one release, above 0
 * @param count at least 1
 */
public record RandomizedResponse(Epsilon epsilon, long count) implements PureMechanism {
  static final String NAME = "randomized-response";

  public RandomizedResponse {
    Require.releases(epsilon, count);
  }

  @Override
  public String name() {
    return NAME;
  }

  static RandomizedResponse ofParameters(Map<String, ? extends Number> parameters) {
    return Parameters.releases(NAME, parameters, RandomizedResponse::new);
  }
}
