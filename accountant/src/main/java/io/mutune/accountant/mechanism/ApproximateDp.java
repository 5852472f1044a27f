package io.mutune.accountant.mechanism;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code count} adaptive releases of which nothing is known but that each is (ε, δ)-DP.
 *
 * @param epsilon of one release; 0 where all of its loss is in δ
 * @param delta of one release, above 0 and below 1
 * @param count at least 1
 */
public record ApproximateDp(Epsilon epsilon, Delta delta, long count) implements Mechanism {
  static final String NAME = "approximate-dp";

  public ApproximateDp {
    if (!(delta.value() > 0 && delta.value() < 1)) {
      throw new IllegalArgumentException(
          "a mechanism's delta must be above 0 and below 1; was " + delta.value());
    }
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
    parameters.put("delta", delta.value());
    parameters.put("count", count);
    return parameters;
  }

  /** Never there: what gives a row away with probability δ is beyond every μ. */
  @Override
  public Optional<Mu> mu() {
    return Optional.empty();
  }

  static ApproximateDp ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "epsilon", "delta", "count");
    return new ApproximateDp(
        Epsilon.of(read.number("epsilon")), Delta.of(read.number("delta")), read.whole("count"));
  }
}
