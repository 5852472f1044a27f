package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.WithSettings;
import java.util.Optional;

/** Reads {@code search.space} and {@code search.points}: a lattice. */
final class LatticeReader {
  private static final int MOST_POINTS = SearchReader.MOST_TRIALS;
  private static final int DEFAULT_OTHERS = 3;

  private LatticeReader() {}

  /**
   * Reads both.
   *
   * @param usual how many values of rate, radius or ν there are if the sweep does not say
   */
  static Optional<BestOf.Lattice> read(YamlSection search, int usual, Optional<Long> rows) {
    Optional<RadiusSpace> space = SpaceReader.withoutSplit(search, rows);
    int values = usual;
    int steps = 1;
    int others = space.filter(s -> !s.settings().isEmpty()).isPresent() ? DEFAULT_OTHERS : 1;
    if (search.has("points")) {
      Optional<YamlSection> points = search.section("points");
      if (points.isEmpty()) {
        return Optional.empty();
      }
      values = points.get().count("values", 1, MOST_POINTS).orElse(values);
      steps = points.get().count("steps", 1, MOST_POINTS).orElse(steps);
      others = points.get().count("others", 1, 100).orElse(others);
      points.get().finish();
    }
    double all =
        (double) values * steps * Math.pow(others, space.map(s -> s.settings().size()).orElse(0));
    if (all > MOST_POINTS) {
      search.broken(
          "points",
          "must be at most " + MOST_POINTS + " together: fewer values, steps or others",
          (long) all);
      return Optional.empty();
    }
    if (space.isEmpty() || !suits(search, space.get(), values, steps, others)) {
      return Optional.empty();
    }
    return Optional.of(new BestOf.Lattice(space.get(), values, steps, others));
  }

  /** Points that are equal would be paid for and tell nothing. */
  private static boolean suits(
      YamlSection search, RadiusSpace space, int values, int steps, int others) {
    boolean single =
        space instanceof WithSettings more
            ? more.ranges().values().stream().anyMatch(Interval::isOneValue)
            : true;
    if (others > 1 && single) {
      search.broken(
          "points",
          "must have others: 1 where one of the method's own numbers has no range",
          others);
      return false;
    }
    int counts = space.steps().max() - space.steps().min() + 1;
    if (steps > counts) {
      search.broken(
          "points",
          "must have at most as many steps as the range of steps (" + counts + ")",
          steps);
      return false;
    }
    if (values > 1 && space.isOneValue()) {
      search.broken("points", "must have one value where the range is one value", values);
      return false;
    }
    return true;
  }
}
