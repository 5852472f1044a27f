package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.FeatureType;
import io.mutune.trainer.feature.FeatureTypes;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the list of feature maps, each with its public numbers. */
final class FeaturesReader {
  private FeaturesReader() {}

  /**
   * What a row goes through.
   *
   * @param mean the private mean's place and settings
   */
  record Features(FeaturePipeline maps, Optional<Mean> mean) {}

  /** A private mean before the width of its rows is known. */
  record Mean(YamlSection section, int position, Epsilon epsilon, ClipNorm clipNorm) {
    MeanStep of(int features) {
      return new MeanStep(position, epsilon, clipNorm, features);
    }
  }

  /**
   * The maps up to the first that is not sound; what is wrong with any of them is noted.
   *
   * @param owners the columns that a map may choose
   */
  static Features read(List<YamlSection> sections, FeatureOwners owners) {
    List<FeatureMap> maps = new ArrayList<>();
    Optional<Mean> mean = Optional.empty();
    List<String> types =
        Stream.concat(FeatureTypes.ALL.stream().map(FeatureType::name), Stream.of(MeanStep.TYPE))
            .toList();
    boolean isLost = false;
    for (YamlSection section : sections) {
      section.require("type", "one of " + String.join(", ", types));
      Optional<String> type = section.word("type", types);
      if (type.filter(MeanStep.TYPE::equals).isPresent()) {
        if (mean.isPresent()) {
          section.broken("type", "must be given once: one mean is released", MeanStep.TYPE);
        }
        mean = mean(section, maps.size());
      } else {
        Optional<FeatureMap> map =
            FeatureTypes.ALL.stream()
                .filter(known -> type.filter(known.name()::equals).isPresent())
                .findFirst()
                .flatMap(known -> map(section, known, owners));
        isLost |= map.isEmpty();
        if (isLost) {
          owners.lost(); // what rows the next one gets is not known
        } else {
          map.ifPresent(maps::add);
        }
      }
    }
    return new Features(new FeaturePipeline(maps), mean);
  }

  /** What it costs and to what rows are clipped has to be said: no number suits all features. */
  private static Optional<Mean> mean(YamlSection section, int position) {
    section.require("epsilon", "a mean of private rows is charged: say how much it may cost");
    section.require("clipNorm", "each row is clipped to it before it is added");
    Optional<Double> epsilon = section.number("epsilon", NumberRule.EPSILON);
    Optional<Double> clipNorm = section.number("clipNorm", NumberRule.CLIP_NORM);
    section.finish();
    return epsilon.flatMap(
        e -> clipNorm.map(norm -> new Mean(section, position, Epsilon.of(e), ClipNorm.of(norm))));
  }

  private static Optional<FeatureMap> map(
      YamlSection section, FeatureType type, FeatureOwners owners) {
    int problemsBefore = section.problems();
    Optional<List<String>> columns = section.texts("columns");
    Map<String, Double> numbers = new LinkedHashMap<>();
    YamlSettings given = new YamlSettings(section);
    for (Setting<Double> setting : type.settings()) {
      if (setting.usual().isEmpty() && !given.has(setting)) {
        given.missing(setting, advice(type, setting));
      }
      given.find(setting).ifPresent(number -> numbers.put(setting.key(), number));
    }
    section.finish();
    if (section.problems() > problemsBefore) {
      return Optional.empty();
    }
    if (type.name().equals("scale")
        && numbers.getOrDefault("max", 0.0) <= numbers.getOrDefault("min", 0.0)) {
      section.broken("max", "must be above min (" + section.written("min") + ")");
      return Optional.empty();
    }
    FeatureMap map;
    try {
      map = type.of(numbers);
    } catch (IllegalArgumentException e) {
      section.broken("type", "has numbers that do not go together: " + e.getMessage(), type.name());
      return Optional.empty();
    }
    return owners.placed(section, map, columns);
  }

  private static String advice(FeatureType type, Setting<Double> setting) {
    if (setting.meaning().isEmpty() && setting.values() instanceof Setting.Values.Numbers numbers) {
      return type.name() + " needs it, " + numbers.rule().text();
    }
    return setting.meaning();
  }

  /**
   * Notes maps that are not for rows of so many features; without a number, those that need one.
   */
  static void checkWidth(
      YamlSection root, FeaturePipeline features, Optional<Integer> inputs, YamlSection training) {
    if (inputs.isEmpty()) {
      if (!features.keepsWidth()) {
        training.missing(
            "features", "state the number of columns in public: the feature maps change it");
      }
      return;
    }
    try {
      int outputs = features.outputs(inputs.get());
      if (outputs < 1 || outputs > RowForm.MAX_FEATURES) {
        root.broken(
            "features", "must make rows of 1 to " + RowForm.MAX_FEATURES + " numbers", outputs);
      }
    } catch (IllegalArgumentException e) {
      root.broken("features", "must suit data.private: " + e.getMessage(), "a list");
    }
  }
}
