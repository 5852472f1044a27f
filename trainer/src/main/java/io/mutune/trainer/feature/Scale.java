package io.mutune.trainer.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * (x − min) / (max − min) with public bounds. A value outside them is clamped to [0, 1]: a private
 * value beyond a public bound is no error, since an error would tell of it.
 *
 * @param min finite
 * @param max finite and above {@code min}
 */
public record Scale(double min, double max) implements InPlaceMap {
  static final String NAME = "scale";
  private static final Set<String> KEYS = Set.of("min", "max");

  public Scale {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "scale needs finite bounds with min below max; had min " + min + " and max " + max);
    }
  }

  @Override
  public void apply(float[] values, int offset, int length) {
    double width = max - min;
    for (int i = offset; i < offset + length; i++) {
      values[i] = (float) Math.min(1, Math.max(0, (values[i] - min) / width));
    }
  }

  /** Whether {@link #apply} would clamp this value. */
  public boolean clamps(float value) {
    return value < min || value > max;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    parameters.put("min", min);
    parameters.put("max", max);
    return parameters;
  }

  static Scale ofParameters(Map<String, ? extends Number> parameters) {
    if (!parameters.keySet().equals(KEYS)) {
      throw new IllegalArgumentException(
          NAME + " has the parameters min and max; had " + parameters.keySet());
    }
    return new Scale(
        Objects.requireNonNull(parameters.get("min")).doubleValue(),
        Objects.requireNonNull(parameters.get("max")).doubleValue());
  }
}
