package io.mutune.orchestrator.search;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A method's own numbers that a search may choose beside rate and steps, by their keys in a sweep.
 * What a run costs depends on the sampling rate alone: noise is in units of the clip norm, and the
 * rest acts on what was released.
 */
public final class SearchedNumbers {
  /** C, in whose units a step may be. */
  public static final String CLIP_NORM = "clipNorm";

  /** q; a plan fixes it, and the noise that goes with it, for every run beforehand. */
  public static final String SAMPLING_RATE = "samplingRate";

  /**
   * The order in which points are drawn, so that a seeded study repeats: that of the first releases
   * for their numbers, then by key.
   */
  public static final Comparator<String> ORDER =
      Comparator.comparingInt(SearchedNumbers::place).thenComparing(Comparator.naturalOrder());

  private static final List<String> FIRST =
      List.of(CLIP_NORM, "clipQuantile", "weightDecay", "projectionRadius", SAMPLING_RATE);

  private SearchedNumbers() {}

  private static int place(String key) {
    int place = FIRST.indexOf(key);
    return place < 0 ? FIRST.size() : place;
  }

  /** In {@link #ORDER}. */
  static SortedMap<String, Double> sorted(Map<String, Double> numbers) {
    SortedMap<String, Double> sorted = new TreeMap<>(ORDER);
    sorted.putAll(numbers);
    return Collections.unmodifiableSortedMap(sorted);
  }
}
