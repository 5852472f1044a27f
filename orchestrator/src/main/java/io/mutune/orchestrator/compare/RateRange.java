package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.search.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The range of learning rates that strategies without a natural unit look through. */
public enum RateRange {
  /** What somebody takes who knows the kind of problem. */
  SENSIBLE("sensible", 0.1, 7.5),
  /** What somebody takes who does not. */
  CARELESS("careless", 0.1, 100);

  private final String key;
  private final double min;
  private final double max;

  RateRange(String key, double min, double max) {
    this.key = key;
    this.min = min;
    this.max = max;
  }

  /** The word on the command line. */
  public String key() {
    return key;
  }

  Interval rates() {
    return new Interval(min, max, Interval.Scale.LOG);
  }

  public static Optional<RateRange> ofKey(String key) {
    return Arrays.stream(values()).filter(range -> range.key.equals(key)).findFirst();
  }

  public static List<String> keys() {
    return Arrays.stream(values()).map(RateRange::key).toList();
  }
}
