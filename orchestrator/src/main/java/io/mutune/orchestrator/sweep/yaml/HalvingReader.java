package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.orchestrator.search.SuccessiveHalving;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.trainer.setting.NumberRule;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code successive-halving}: its candidates, and its rounds, or what the plan is to propose
 * them from.
 */
final class HalvingReader {
  private static final NumberRule TUNING = NumberRule.INSIDE_UNIT;

  private HalvingReader() {}

  /** What it is, where it can be read. */
  static Optional<SearchStrategy> read(
      YamlSection search, Optional<ProposedSplits> splits, Optional<Long> rows) {
    Optional<BestOf.Lattice> lattice =
        LatticeReader.read(search, SuccessiveHalving.DEFAULT_VALUES, rows);
    boolean given = search.has("sweeps");
    int factor =
        search
            .count("factor", 2, SearchReader.MOST_TRIALS)
            .orElse(SuccessiveHalving.DEFAULT_FACTOR);
    double tuning = search.number("tuning", TUNING).orElse(SuccessiveHalving.DEFAULT_TUNING);
    for (String key : List.of("factor", "tuning")) {
      if (given && search.has(key)) {
        search.broken(key, "is for sweeps that the plan proposes, and sweeps are given", "given");
      }
    }
    Optional<List<SweepRound>> rounds = given ? RoundsReader.read(search) : Optional.empty();
    if (lattice.isEmpty() || !suits(search, lattice.get())) {
      return Optional.empty();
    }
    if (given) {
      return rounds
          .filter(r -> fall(search, r, lattice.get().count()))
          .map(r -> new SuccessiveHalving(lattice.get(), r, Optional.empty()));
    }
    List<Integer> sizes = SuccessiveHalving.sizes(lattice.get().count(), factor);
    if (sizes.stream().mapToInt(Integer::intValue).sum() > SearchReader.MOST_TRIALS) {
      search.broken(
          "points",
          "must be so few that all rounds have at most "
              + SearchReader.MOST_TRIALS
              + " trials together",
          lattice.get().count());
      return Optional.empty();
    }
    Optional<SplitProposal> split = splits.map(s -> s.halving(sizes, tuning));
    return split.map(s -> new SuccessiveHalving(lattice.get(), s.rounds(), Optional.of(s.why())));
  }

  /** What a later trial costs must not follow from which candidate goes on. */
  private static boolean suits(YamlSection search, BestOf.Lattice lattice) {
    if (lattice.space().steps().only().isEmpty()) {
      search.broken(
          "space",
          "must have one number of steps with successive-halving: what later trials cost is fixed"
              + " before any score",
          "a range");
      return false;
    }
    if (lattice.space().settings().contains(SearchedNumbers.SAMPLING_RATE)) {
      search.broken(
          "space",
          "must not have samplingRate or batchSize with successive-halving: what a later run costs"
              + " would follow from scores",
          "a range");
      return false;
    }
    if (lattice.count() < 2) {
      search.broken(
          "points", "must be at least 2 with successive-halving: one is not compared", "1");
      return false;
    }
    return true;
  }

  private static boolean fall(YamlSection search, List<SweepRound> rounds, int candidates) {
    if (rounds.get(0).trials() != candidates) {
      search.broken(
          "sweeps",
          "must begin with a trial for each of the " + candidates + " candidates",
          rounds.get(0).trials());
      return false;
    }
    for (int r = 1; r < rounds.size(); r++) {
      int before = rounds.get(r - 1).trials();
      int now = rounds.get(r).trials();
      if (now >= before || now < 2) {
        search.broken(
            "sweeps",
            now < 2
                ? "must have at least 2 trials each: one is not compared"
                : "must have fewer trials from each to the next: " + before + " are followed by",
            now);
        return false;
      }
    }
    return true;
  }
}
