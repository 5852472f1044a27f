package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.Setting;
import io.mutune.orchestrator.search.SuccessiveHalving;
import io.mutune.orchestrator.search.WithSettings;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.TrainDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The method's own numbers that a sweep has searched: what may stand beside them. */
final class SearchedSettings {
  /** The same number in rows of a sample on average. */
  static final String BATCH_SIZE = "batchSize";

  private static final List<String> SAMPLING = List.of(Setting.SAMPLING_RATE.key(), BATCH_SIZE);

  /** Each number by the keys that give it. */
  private static final List<List<String>> NUMBERS =
      List.of(
          List.of(Setting.CLIP_NORM.key()),
          List.of(Setting.CLIP_QUANTILE.key()),
          List.of(Setting.WEIGHT_DECAY.key()),
          List.of(Setting.PROJECTION_RADIUS.key()),
          SAMPLING);

  private SearchedSettings() {}

  /** A number that {@code train} gives and {@code search.space} looks for is one too many. */
  static void refuseGivenTwice(YamlSection root) {
    for (List<String> keys : NUMBERS) {
      for (String searched : keys) {
        Optional<Integer> line = root.lineOf("search", "space", searched);
        for (String given : keys) {
          Optional<Integer> other = root.lineOf("train", given);
          if (line.isPresent() && other.isPresent()) {
            root.note(
                line.get(),
                "search.space.%s looks for what train.%s gives on line %d; leave one of them out"
                    .formatted(searched, given, other.get()));
          }
        }
      }
    }
  }

  /** Whether a sweep looks for the share of rows in a step. */
  static boolean searchSamplingRate(YamlSection root) {
    return SAMPLING.stream().anyMatch(key -> root.lineOf("search", "space", key).isPresent());
  }

  /**
   * Training with the least of the sampling rates that are searched, where they are: what has a μ
   * and what has none differ by it.
   */
  static TrainDefinition withLeastRate(TrainDefinition train, SearchStrategy strategy) {
    if (!train.method().settings().contains(Setting.SAMPLING_RATE)) {
      return train;
    }
    return space(strategy)
        .filter(space -> space instanceof WithSettings)
        .map(space -> ((WithSettings) space).ranges().get(Setting.SAMPLING_RATE))
        .map(Interval::min)
        .map(rate -> train.method().with(Map.of(Setting.SAMPLING_RATE, rate)))
        .map(method -> new TrainDefinition(method, train.loss()))
        .orElse(train);
  }

  /** What a strategy looks for has to be the method's, and its charge to be planned. */
  static void check(
      YamlSection search, SearchStrategy strategy, MethodDefinition method, NoiseRule noise) {
    List<Setting> settings = space(strategy).map(RadiusSpace::settings).orElse(List.of());
    for (Setting setting : settings) {
      if (!method.settings().contains(setting)) {
        search.broken(
            "space", "must not have " + setting.key() + " with " + method.name(), setting.key());
      }
    }
    for (Setting charged : List.of(Setting.CLIP_NORM, Setting.SAMPLING_RATE)) {
      if (settings.contains(charged) && noise.grid().isPresent()) {
        search.broken(
            "space",
            "must not have %s with noise on a grid: what rounding costs depends on it"
                .formatted(charged.key()),
            "a range");
      }
    }
  }

  private static Optional<RadiusSpace> space(SearchStrategy strategy) {
    if (strategy instanceof SecretTrials secret) {
      return Optional.of(secret.space());
    }
    if (strategy instanceof LinearScaling line) {
      return Optional.of(line.space());
    }
    if (strategy instanceof SuccessiveHalving halving) {
      return Optional.of(halving.points().space());
    }
    return strategy instanceof BestOf best ? Optional.of(best.points().space()) : Optional.empty();
  }
}
