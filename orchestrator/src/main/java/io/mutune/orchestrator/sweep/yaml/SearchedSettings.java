package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.orchestrator.search.WithSettings;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.method.TrainingMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The method's own numbers that a sweep has searched: what may stand beside them. */
final class SearchedSettings {
  /** The same number in rows of a sample on average. */
  static final String BATCH_SIZE = "batchSize";

  private static final List<String> SAMPLING = List.of(SearchedNumbers.SAMPLING_RATE, BATCH_SIZE);

  private SearchedSettings() {}

  /** A number that {@code train} gives and {@code search.space} looks for is one too many. */
  static void refuseGivenTwice(Draft draft) {
    YamlSection root = draft.root();
    for (String number : TrainDefinition.searchable()) {
      List<String> keys = keys(number);
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

  /** Whether a sweep searches the number of this key, by whatever key it is given there. */
  static boolean isSearched(YamlSection root, String number) {
    return keys(number).stream().anyMatch(key -> root.lineOf("search", "space", key).isPresent());
  }

  private static List<String> keys(String number) {
    return SAMPLING.contains(number) ? SAMPLING : List.of(number);
  }

  /**
   * Training with the least of the sampling rates that are searched, where they are: what has a μ
   * and what has none differ by it.
   */
  static TrainDefinition withLeastRate(TrainDefinition train, SearchStrategy strategy) {
    if (!train.method().searchable().contains(SearchedNumbers.SAMPLING_RATE)) {
      return train;
    }
    return strategy
        .searchedSpace()
        .filter(space -> space instanceof WithSettings)
        .map(space -> ((WithSettings) space).ranges().get(SearchedNumbers.SAMPLING_RATE))
        .map(Interval::min)
        .map(rate -> train.method().with(Map.of(SearchedNumbers.SAMPLING_RATE, rate)))
        .map(method -> new TrainDefinition(method, train.loss()))
        .orElse(train);
  }

  /** Tables have the names of a trainer's own settings as headings. */
  static void refuseOddNames(Draft draft) {
    draft
        .strategy()
        .flatMap(SearchStrategy::searchedSpace)
        .map(RadiusSpace::settings)
        .orElse(List.of())
        .stream()
        .filter(name -> !name.matches("(settings\\.)?[A-Za-z][A-Za-z0-9_.-]{0,63}"))
        .forEach(
            name ->
                draft.brokenSearch(
                    "space",
                    "must have settings named by a letter, then letters, digits, '_', '.' and"
                        + " '-'",
                    name));
  }

  /** What a strategy looks for has to be the method's, and its charge to be planned. */
  static void check(Draft draft) {
    if (draft.strategy().isEmpty() || draft.train().isEmpty()) {
      return;
    }
    YamlSection search = draft.search().orElseThrow();
    TrainingMethod method = draft.train().get().method();
    List<String> settings =
        draft.strategy().get().searchedSpace().map(RadiusSpace::settings).orElse(List.of());
    for (String setting : settings) {
      if (!method.isSearchable(setting)) {
        search.broken("space", "must not have " + setting + " with " + method.name(), setting);
      }
    }
    for (String charged : List.of(SearchedNumbers.CLIP_NORM, SearchedNumbers.SAMPLING_RATE)) {
      if (settings.contains(charged) && draft.noise().grid().isPresent()) {
        search.broken(
            "space",
            "must not have %s with noise on a grid: what rounding costs depends on it"
                .formatted(charged),
            "a range");
      }
    }
  }
}
