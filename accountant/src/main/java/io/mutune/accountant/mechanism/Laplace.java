package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code count} adaptive releases of numbers, each of L1 sensitivity {@code sensitivity} with noise
 * of density exp(−|x|/b)/(2b) on every coordinate.
 *
 * @param scale b, in the unit in which the sensitivity is given; finite and above 0
 * @param sensitivity finite and above 0
 * @param count at least 1
 */
public record Laplace(double scale, double sensitivity, long count) implements PureMechanism {
  static final String NAME = "laplace";

  public Laplace {
    Require.positive("scale", scale);
    Require.positive("sensitivity", sensitivity);
    Require.count(count);
    // Refuses what has no finite ε.
    Epsilon.of(Require.quotientUp(sensitivity, scale));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Number> parameters() {
    Map<String, Number> parameters = new LinkedHashMap<>();
    parameters.put("scale", scale);
    parameters.put("sensitivity", sensitivity);
    parameters.put("count", count);
    return parameters;
  }

  /** sensitivity/scale, rounded up. */
  @Override
  public Epsilon epsilon() {
    return Epsilon.of(Require.quotientUp(sensitivity, scale));
  }

  static Laplace ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "scale", "sensitivity", "count");
    return new Laplace(read.number("scale"), read.number("sensitivity"), read.whole("count"));
  }
}
