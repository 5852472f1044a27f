package io.mutune.trainer.feature;

import java.io.Serializable;
import java.util.Map;

/**
 * A map of one row that follows from public parameters alone: it learns nothing from any row, so it
 * costs no privacy. A row's image depends on no other row.
 */
public interface FeatureMap extends Serializable {
  /** What one map may make of a row, before others make less of it. */
  int MAX_OUTPUTS = 1 << 20;

  /**
   * How long the image of a row of {@code inputs} values is.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  int outputs(int inputs);

  /**
   * The map for rows of {@code inputs} values. Another one for each thread.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  RowMap open(int inputs);

  /**
   * About how many bytes it holds, open for rows of {@code inputs} values, beside such a row and
   * its image.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  default double held(int inputs) {
    return 0;
  }

  /** The same with the rows before and after it. */
  default double bytes(int inputs) {
    return (double) Double.BYTES * ((double) inputs + outputs(inputs)) + held(inputs);
  }

  /**
   * Takes down what it computes of a row of {@code inputs} values, up to the last rounding.
   *
   * @throws InexpressibleException if these steps do not reach so far, as for most maps
   */
  default void describe(int inputs, RowSteps to) {
    throw new InexpressibleException("the feature map " + name() + " cannot be written down");
  }

  /**
   * The whole number of features that a map makes of a row.
   *
   * @throws IllegalArgumentException if they are too many for one row
   */
  static int outputs(String name, double count) {
    if (!(count <= MAX_OUTPUTS)) {
      throw new IllegalArgumentException(
          "%s would make %.0f features of a row, and may make %d"
              .formatted(name, count, MAX_OUTPUTS));
    }
    return (int) Math.round(count);
  }

  /** The {@code type} of the sweep file. */
  String name();

  /** Its public numbers, if it has any; {@link #of} reads them back exactly. */
  default Map<String, Double> parameters() {
    return Map.of();
  }

  /**
   * The map that a sweep or a model file wrote down.
   *
   * @throws IllegalArgumentException if the name is unknown, a parameter is missing, unknown or out
   *     of range
   */
  static FeatureMap of(String name, Map<String, ? extends Number> parameters) {
    if (OnPositions.isMeant(parameters)) {
      return OnPositions.ofParameters(name, parameters);
    }
    if (name.equals(Centre.PRIVATE) || (name.equals(Centre.PUBLIC) && !parameters.isEmpty())) {
      return Centre.ofParameters(name, parameters);
    }
    return FeatureTypes.ALL.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown feature map '" + name + "'"))
        .of(parameters);
  }
}
