package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code count} adaptive releases of which nothing is known but that each is (ε, 0)-DP.
 *
 * @param epsilon of one release, above 0
 * @param count at least 1
 */
public record PureDp(Epsilon epsilon, long count) implements PureMechanism {
  static final String NAME = "pure-dp";

  public PureDp {
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

  static PureDp ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "epsilon", "count");
    return new PureDp(Epsilon.of(read.number("epsilon")), read.whole("count"));
  }
}
