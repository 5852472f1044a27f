package io.mutune.trainer.feature;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A row less a vector that was released before, such as a private mean: that was paid for, so this
 * learns nothing from any row and costs nothing.
 *
 * @param vector finite, one value a feature
 */
public record Centre(List<Double> vector) implements InPlaceMap {
  static final String NAME = "private-mean";

  public Centre {
    vector = List.copyOf(vector);
    if (vector.isEmpty() || !vector.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(NAME + " takes finite values, one a feature");
    }
  }

  public static Centre of(double[] vector) {
    return new Centre(Arrays.stream(vector).boxed().toList());
  }

  /** Whether it leaves every row as it is. */
  public boolean isZero() {
    return vector.stream().allMatch(value -> value == 0);
  }

  @Override
  public int outputs(int inputs) {
    if (inputs != vector.size()) {
      throw new IllegalArgumentException(
          "%s of %d features cannot be taken from rows of %d"
              .formatted(NAME, vector.size(), inputs));
    }
    return inputs;
  }

  @Override
  public void apply(float[] values, int offset, int length) {
    for (int i = 0; i < length; i++) {
      values[offset + i] = (float) (values[offset + i] - vector.get(i));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The values by their feature, counted from 0. */
  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    for (int i = 0; i < vector.size(); i++) {
      parameters.put(Integer.toString(i), vector.get(i));
    }
    return parameters;
  }

  static Centre ofParameters(Map<String, ? extends Number> parameters) {
    double[] vector = new double[parameters.size()];
    for (int i = 0; i < vector.length; i++) {
      Number value = parameters.get(Integer.toString(i));
      if (value == null) {
        throw new IllegalArgumentException(
            NAME + " has a value for each of its features; none for " + i);
      }
      vector[i] = value.doubleValue();
    }
    return of(vector);
  }
}
