package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.LinkedHashMap;
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
    Require.positive("epsilon", epsilon.value());
    Require.count(count);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Number> parameters() {
    Map<String, Number> parameters = new LinkedHashMap<>();
    parameters.put("epsilon", epsilon.value());
    parameters.put("count", count);
    return parameters;
  }

  static RandomizedResponse ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "epsilon", "count");
    return new RandomizedResponse(Epsilon.of(read.number("epsilon")), read.whole("count"));
  }
}
