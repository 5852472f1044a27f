package io.mutune.trainer.feature;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The numbers of a feature map as a sweep or a model file gives them. */
record Parameters(String map, Map<String, ? extends Number> values) {
  /**
   * @throws IllegalArgumentException unless there are exactly these
   */
  static Parameters of(String map, Map<String, ? extends Number> values, String... keys) {
    if (!values.keySet().equals(Set.of(keys))) {
      throw new IllegalArgumentException(
          map + " has the parameters " + List.of(keys) + "; had " + values.keySet());
    }
    return new Parameters(map, values);
  }

  double number(String key) {
    return Objects.requireNonNull(values.get(key)).doubleValue();
  }

  /**
   * @throws IllegalArgumentException if it is no whole number of that range
   */
  int whole(String key, int least, int most) {
    double value = number(key);
    if (value != Math.rint(value) || value < least || value > most) {
      throw new IllegalArgumentException(
          "%s.%s must be a whole number from %d to %d; was %s"
              .formatted(map, key, least, most, value));
    }
    return (int) value;
  }
}
