package io.mutune.trainer.feature;

import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of feature map: its name in sweeps, its numbers, and how it is made of them.
 *
 * @param name the {@code type} of a sweep file
 * @param settings its numbers; those without a usual value have to be given
 */
public record FeatureType(
    String name, List<Setting<Double>> settings, Function<Parameters, FeatureMap> maker) {
  /** A whole number that a sweep has to give. */
  static Setting<Double> whole(String key, long least, long most) {
    return Setting.number(key, NumberRule.whole(least, most), "");
  }

  /** The first of its numbers under their keys, in their order; the others are usual ones. */
  Map<String, Double> write(double... numbers) {
    Map<String, Double> parameters = new LinkedHashMap<>();
    for (int i = 0; i < numbers.length; i++) {
      parameters.put(settings.get(i).key(), numbers[i]);
    }
    return parameters;
  }

  /**
   * The map of these numbers; what is missing has its usual value.
   *
   * @throws IllegalArgumentException if one without a usual value is missing, or one is unknown or
   *     out of range
   */
  public FeatureMap of(Map<String, ? extends Number> numbers) {
    Map<String, Number> all = new LinkedHashMap<>(numbers);
    for (Setting<Double> setting : settings) {
      setting.usual().ifPresent(usual -> all.putIfAbsent(setting.key(), usual));
    }
    return maker.apply(new Parameters(name, all, settings));
  }
}
