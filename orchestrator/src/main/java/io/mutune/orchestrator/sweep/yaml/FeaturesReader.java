package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.ClipNorm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the list of feature maps, each with its public numbers. */
final class FeaturesReader {
  /** Far beyond any feature; the difference of two is finite. */
  private static final NumberRule SCALE_BOUND = NumberRule.fromTo(-1e30, 1e30);

  private static final NumberRule COUNT = NumberRule.whole(1, 1 << 20);

  /**
   * A number of a feature map.
   *
   * @param usual null where the sweep has to give it
   */
  private record Key(String name, NumberRule rule, @Nullable Double usual) {}

  private static final Key HEIGHT = new Key("height", COUNT, null);
  private static final Key WIDTH = new Key("width", COUNT, null);
  private static final Key CHANNELS = new Key("channels", COUNT, 1.0);

  private static final Map<String, List<Key>> KEYS =
      Map.of(
          "scale",
          List.of(new Key("min", SCALE_BOUND, null), new Key("max", SCALE_BOUND, null)),
          "l2-normalize",
          List.of(),
          "group-norm",
          List.of(new Key("channels", COUNT, null), new Key("groups", COUNT, null)),
          "hog",
          List.of(
              HEIGHT,
              WIDTH,
              CHANNELS,
              new Key("cell", COUNT, 4.0),
              new Key("orientations", COUNT, 9.0),
              new Key("block", COUNT, 2.0)),
          "scattering",
          List.of(
              HEIGHT,
              WIDTH,
              CHANNELS,
              new Key("scales", COUNT, 2.0),
              new Key("angles", COUNT, 8.0)),
          "random-fourier",
          List.of(
              new Key("features", COUNT, null),
              new Key("gamma", NumberRule.fromTo(1e-30, 1e30), null),
              new Key("seed", NumberRule.whole(0, (1L << 53) - 1), 0.0)),
          "polynomial",
          List.of(new Key("degree", COUNT, null)));

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

  /** The maps that are sound; what is wrong with others is noted. */
  static Features read(List<YamlSection> sections) {
    List<FeatureMap> maps = new ArrayList<>();
    Optional<Mean> mean = Optional.empty();
    List<String> types = new ArrayList<>(FeatureMap.NAMES);
    types.add(MeanStep.TYPE);
    for (YamlSection section : sections) {
      if (!section.has("type")) {
        section.missing("type", "one of " + String.join(", ", types));
      }
      Optional<String> type = section.word("type", types);
      if (type.filter(MeanStep.TYPE::equals).isPresent()) {
        if (mean.isPresent()) {
          section.broken("type", "must be given once: one mean is released", MeanStep.TYPE);
        }
        mean = mean(section, maps.size());
      } else {
        type.flatMap(name -> map(section, name)).ifPresent(maps::add);
      }
    }
    return new Features(new FeaturePipeline(maps), mean);
  }

  /** What it costs and to what rows are clipped has to be said: no number suits all features. */
  private static Optional<Mean> mean(YamlSection section, int position) {
    if (!section.has("epsilon")) {
      section.missing("epsilon", "a mean of private rows is charged: say how much it may cost");
    }
    if (!section.has("clipNorm")) {
      section.missing("clipNorm", "each row is clipped to it before it is added");
    }
    Optional<Double> epsilon = section.number("epsilon", NumberRule.EPSILON);
    Optional<Double> clipNorm = section.number("clipNorm", MethodReader.CLIP_NORM);
    section.finish();
    return epsilon.flatMap(
        e -> clipNorm.map(norm -> new Mean(section, position, Epsilon.of(e), ClipNorm.of(norm))));
  }

  private static Optional<FeatureMap> map(YamlSection section, String type) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Key key : KEYS.getOrDefault(type, List.of())) {
      if (key.usual() == null && !section.has(key.name())) {
        section.missing(key.name(), advice(type, key));
      }
      Optional<Double> given = section.number(key.name(), key.rule());
      given.or(() -> Optional.ofNullable(key.usual())).ifPresent(n -> numbers.put(key.name(), n));
    }
    section.finish();
    if (section.hasProblems()) {
      return Optional.empty();
    }
    if (type.equals("scale")
        && numbers.getOrDefault("max", 0.0) <= numbers.getOrDefault("min", 0.0)) {
      section.broken("max", "must be above min (" + section.written("min") + ")");
      return Optional.empty();
    }
    try {
      return Optional.of(FeatureMap.of(type, numbers));
    } catch (IllegalArgumentException e) {
      section.broken("type", "has numbers that do not go together: " + e.getMessage(), type);
      return Optional.empty();
    }
  }

  private static String advice(String type, Key key) {
    if (type.equals("scale")) {
      return "scale needs public bounds";
    }
    return type + " needs it, " + key.rule().text();
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
      if (features.outputs(inputs.get()) < 1) {
        throw new IllegalStateException("a row without features");
      }
    } catch (IllegalArgumentException e) {
      root.broken("features", "must suit data.private: " + e.getMessage(), "a list");
    }
  }
}
