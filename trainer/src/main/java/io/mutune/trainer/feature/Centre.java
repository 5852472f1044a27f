package io.mutune.trainer.feature;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A row less a vector that is known: a private mean, which was released and paid for before, or a
 * mean of public rows. So this learns nothing from any row and costs nothing.
 *
 * @param name which of the two it is
 * @param vector finite, one value a feature
 */
public record Centre(String name, List<Double> vector) implements InPlaceMap {
  static final String PRIVATE = "private-mean";
  static final String PUBLIC = "public-mean";

  public Centre {
    vector = List.copyOf(vector);
    if (vector.isEmpty() || !vector.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(name + " takes finite values, one a feature");
    }
  }

  /** Less a private mean. */
  public static Centre of(double[] vector) {
    return of(PRIVATE, vector);
  }

  /** Less a mean of public rows. */
  static Centre ofPublic(double[] vector) {
    return of(PUBLIC, vector);
  }

  private static Centre of(String name, double[] vector) {
    return new Centre(name, Arrays.stream(vector).boxed().toList());
  }

  /** Whether its vector was released by a mechanism that was charged. */
  public boolean isCharged() {
    return name.equals(PRIVATE);
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
              .formatted(name, vector.size(), inputs));
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
  public void describe(int inputs, RowSteps to) {
    to.subtract(vector.stream().mapToDouble(Double::doubleValue).toArray());
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

  static Centre ofParameters(String name, Map<String, ? extends Number> parameters) {
    double[] vector = new double[parameters.size()];
    for (int i = 0; i < vector.length; i++) {
      Number value = parameters.get(Integer.toString(i));
      if (value == null) {
        throw new IllegalArgumentException(
            name + " has a value for each of its features; none for " + i);
      }
      vector[i] = value.doubleValue();
    }
    return of(name, vector);
  }
}
