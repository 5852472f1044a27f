package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.WithSettings;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.setting.NumberRule;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads {@code search.space}: ranges of steps and of learning rate, radius or ν. */
final class SpaceReader {
  /** Of a trainer's own. */
  private static final String SETTINGS = "settings";

  private static final List<String> WAYS = List.of("learningRate", "radius", "logitNoise");

  private SpaceReader() {}

  /** Whose points are drawn or laid out by rate, radius or ν and steps; no radius is split. */
  static Optional<RadiusSpace> withoutSplit(YamlSection search, Optional<Long> rows) {
    return read(search, Optional.of(RadiusSpace.Decompose.INDEPENDENT), rows);
  }

  /** A radius is split as {@code decompose} says. */
  static Optional<RadiusSpace> read(YamlSection search, Optional<Long> rows) {
    return read(search, Optional.empty(), rows);
  }

  private static Optional<RadiusSpace> read(
      YamlSection search, Optional<RadiusSpace.Decompose> taken, Optional<Long> rows) {
    Optional<RadiusSpace.Decompose> asked =
        taken.isPresent()
            ? Optional.empty()
            : search.oneOf("decompose", RadiusSpace.Decompose.values(), RadiusSpace.Decompose::key);
    if (!search.has("space")) {
      search.missing("space", "give steps, and learningRate, radius or logitNoise");
      return Optional.empty();
    }
    Optional<YamlSection> section = search.section("space");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    YamlSection space = section.get();
    Optional<StepRange> steps = steps(space);
    space.require("steps", "give min and max");
    Optional<String> way = oneWay(space);
    Optional<Interval> range = way.flatMap(key -> interval(space, key));
    Map<String, Interval> settings = settings(space);
    samplingRate(space, rows).ifPresent(rate -> settings.put(SearchedNumbers.SAMPLING_RATE, rate));
    space.finish();
    Set<String> others = new LinkedHashSet<>(settings.keySet());
    others.remove(SearchedNumbers.CLIP_NORM);
    if (!others.isEmpty() && taken.isEmpty()) {
      search.broken(
          "space",
          "must have no ranges of "
              + String.join(", ", others)
              + " with linear-scaling, whose line is for the radius, or its product with clipNorm");
    }
    if (way.isPresent() && !way.get().equals("learningRate") && asked.isPresent()) {
      if (asked.get() != RadiusSpace.Decompose.SAMPLE_STEPS) {
        search.broken(
            "decompose",
            "must be sample-steps where the space has no learningRate",
            asked.get().key());
      }
    }
    if (range.isEmpty() || steps.isEmpty()) {
      return Optional.empty();
    }
    RadiusSpace base =
        switch (way.orElseThrow()) {
          case "radius" -> new RadiusSpace.ByRadius(range.get(), steps.get());
          case "logitNoise" -> new RadiusSpace.ByLogitNoise(range.get(), steps.get());
          default ->
              new RadiusSpace.ByRate(
                  range.get(),
                  steps.get(),
                  asked.or(() -> taken).orElse(RadiusSpace.Decompose.SAMPLE_BOTH));
        };
    return Optional.of(settings.isEmpty() ? base : new WithSettings(base, settings));
  }

  /** The method's own numbers that are searched; whether it has them is asked elsewhere. */
  private static Map<String, Interval> settings(YamlSection space) {
    Map<String, Interval> settings = new TreeMap<>(SearchedNumbers.ORDER);
    for (String setting : TrainDefinition.searchable()) {
      if (setting.equals(SearchedNumbers.SAMPLING_RATE)) {
        continue;
      }
      Optional<Interval> range = space.has(setting) ? interval(space, setting) : Optional.empty();
      range.ifPresent(r -> settings.put(setting, r));
      if (setting.equals("clipQuantile") && range.filter(r -> r.max() >= 1).isPresent()) {
        space.broken(setting, "must be below 1", range.get().max());
      }
    }
    Optional<YamlSection> own = space.has(SETTINGS) ? space.section(SETTINGS) : Optional.empty();
    for (String name : own.map(YamlSection::keys).orElse(List.of())) {
      interval(own.orElseThrow(), name)
          .ifPresent(range -> settings.put(SETTINGS + "." + name, range));
    }
    return settings;
  }

  /** {@code samplingRate: {min: 0.01, max: 0.3}}, or {@code batchSize} in rows on average. */
  private static Optional<Interval> samplingRate(YamlSection space, Optional<Long> rows) {
    String rateKey = SearchedNumbers.SAMPLING_RATE;
    String sizeKey = SearchedSettings.BATCH_SIZE;
    Optional<Interval> rate = Optional.empty();
    if (space.has(rateKey)) {
      rate = interval(space, rateKey);
      if (rate.filter(r -> r.max() > 1).isPresent()) {
        space.broken(rateKey, "must be at most 1", rate.get().max());
        rate = Optional.empty();
      }
    }
    if (!space.has(sizeKey)) {
      return rate;
    }
    Optional<Interval> size = interval(space, sizeKey);
    if (space.has(rateKey)) {
      space.broken(sizeKey, "and samplingRate say the same thing twice", "both given");
      return rate;
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double n = rows.get();
    if (size.filter(s -> s.min() < 1 || s.max() > n).isPresent()) {
      space.broken(sizeKey, "must be from 1 to the number of rows (" + rows.get() + ")", "a range");
      return Optional.empty();
    }
    return size.map(s -> new Interval(s.min() / n, s.max() / n, s.scale()));
  }

  /** Which of the three the section gives. */
  static Optional<String> oneWay(YamlSection space) {
    List<String> given = WAYS.stream().filter(space::has).toList();
    if (given.isEmpty()) {
      space.missing("learningRate", "give learningRate, radius or logitNoise");
      return Optional.empty();
    }
    if (given.size() > 1) {
      space.broken(given.get(1), "and " + given.get(0) + " say the same thing twice", "both given");
      return Optional.empty();
    }
    return Optional.of(given.get(0));
  }

  /** {@code steps: 100} or {@code steps: {min: 5, max: 200}}. */
  static Optional<StepRange> steps(YamlSection space) {
    if (!space.isMapping("steps")) {
      return space.count("steps", 1, StepRange.MOST).map(count -> new StepRange(count, count));
    }
    return space
        .section("steps")
        .flatMap(
            section -> {
              Optional<Integer> min = section.count("min", 1, StepRange.MOST);
              Optional<Integer> max = section.count("max", 1, StepRange.MOST);
              requireMinAndMax(section);
              section.finish();
              if (min.isPresent() && max.isPresent() && max.get() < min.get()) {
                section.broken("max", "must be at least min (" + min.get() + ")");
                return Optional.empty();
              }
              return min.flatMap(a -> max.map(b -> new StepRange(a, b)));
            });
  }

  /** A number, or a range of one. */
  static Optional<Interval> interval(YamlSection space, String key) {
    if (space.has(key) && !space.isMapping(key)) {
      return space
          .number(key, NumberRule.HYPERPARAMETER)
          .map(value -> new Interval(value, value, Interval.Scale.LOG));
    }
    return space
        .section(key)
        .flatMap(
            section -> {
              Optional<Double> min = section.number("min", NumberRule.HYPERPARAMETER);
              Optional<Double> max = section.number("max", NumberRule.HYPERPARAMETER);
              Interval.Scale scale =
                  section
                      .word("scale", List.of("log", "linear"))
                      .map(w -> w.equals("log") ? Interval.Scale.LOG : Interval.Scale.LINEAR)
                      .orElse(Interval.Scale.LOG);
              requireMinAndMax(section);
              section.finish();
              if (min.isPresent() && max.isPresent() && max.get() < min.get()) {
                section.broken("max", "must be at least min (" + section.written("min") + ")");
                return Optional.empty();
              }
              return min.flatMap(a -> max.map(b -> new Interval(a, b, scale)));
            });
  }

  private static void requireMinAndMax(YamlSection section) {
    for (String key : List.of("min", "max")) {
      section.require(key, "a range needs min and max");
    }
  }
}
