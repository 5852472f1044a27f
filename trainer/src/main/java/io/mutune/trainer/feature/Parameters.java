package io.mutune.trainer.feature;

import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The numbers of a feature map as a sweep or a model file gives them. */
record Parameters(
    String map, Map<String, ? extends Number> values, List<Setting<Double>> settings) {
  /**
   * @throws IllegalArgumentException unless there are exactly these
   */
  Parameters {
    List<String> keys = settings.stream().map(Setting::key).toList();
    if (!values.keySet().equals(Set.copyOf(keys))) {
      throw new IllegalArgumentException(
          map + " has the parameters " + keys + "; had " + values.keySet());
    }
  }

  double number(String key) {
    return Objects.requireNonNull(values.get(key)).doubleValue();
  }

  /**
   * One whose setting is a whole number.
   *
   * @throws IllegalArgumentException if it is none of the setting's range
   */
  long whole(String key) {
    double value = number(key);
    for (Setting<Double> setting : settings) {
      if (setting.key().equals(key)
          && setting.values() instanceof Setting.Values.Numbers numbers
          && !numbers.rule().holds(value)) {
        throw new IllegalArgumentException(
            "%s.%s must be %s; was %s".formatted(map, key, numbers.rule().text(), value));
      }
    }
    return (long) value;
  }

  /** The same of one that an int holds. */
  int count(String key) {
    return Math.toIntExact(whole(key));
  }
}
