package io.mutune.orchestrator.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A strategy that can be entered in a comparison, by its name there. */
public enum ComparedStrategy {
  RANDOM("random"),
  GRID("grid"),
  SUCCESSIVE_HALVING("successive-halving"),
  RANDOM_STOPPING("random-stopping"),
  SUBSAMPLED_TUNING("subsampled-tuning"),
  FIXED("fixed"),
  SCALE_FREE("scale-free"),
  LINEAR_SCALING("linear-scaling"),
  /** Linear scaling to the letter: no guards, and the best trial by an uncharged look. */
  LINEAR_SCALING_PAPER("linear-scaling-paper");

  /** Those of a comparison that names none, as far as its sweep can have them. */
  static final List<ComparedStrategy> USUAL =
      List.of(RANDOM, GRID, RANDOM_STOPPING, FIXED, SCALE_FREE, LINEAR_SCALING);

  private final String key;

  ComparedStrategy(String key) {
    this.key = key;
  }

  /** The name on the command line and in {@code compare.json}. */
  public String key() {
    return key;
  }

  public static Optional<ComparedStrategy> ofKey(String key) {
    return Arrays.stream(values()).filter(strategy -> strategy.key.equals(key)).findFirst();
  }

  public static List<String> keys() {
    return Arrays.stream(values()).map(ComparedStrategy::key).toList();
  }
}
