package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.trainer.setting.NumberRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code search.sweeps}: rounds of cheap trials. */
final class RoundsReader {
  private static final int MOST_TRIALS = SearchReader.MOST_TRIALS;

  private RoundsReader() {}

  static Optional<List<SweepRound>> read(YamlSection search) {
    if (!search.has("sweeps")) {
      search.missing("sweeps", "list rounds of cheap trials, such as {epsilon: 0.2, trials: 3}");
      return Optional.empty();
    }
    return search
        .sections("sweeps")
        .flatMap(
            sections -> {
              List<SweepRound> rounds = new ArrayList<>();
              for (YamlSection section : sections) {
                for (String key : List.of("epsilon", "trials")) {
                  section.require(key, "each sweep needs epsilon and trials");
                }
                Optional<Double> epsilon = section.number("epsilon", NumberRule.EPSILON);
                Optional<Integer> trials = section.count("trials", 1, MOST_TRIALS);
                section.finish();
                if (epsilon.isPresent() && trials.isPresent()) {
                  rounds.add(new SweepRound(Epsilon.of(epsilon.get()), trials.get()));
                }
              }
              if (sections.isEmpty()) {
                search.broken("sweeps", "must have at least one entry", "empty");
              }
              long total = rounds.stream().mapToLong(SweepRound::trials).sum();
              if (rounds.size() > 1 && total > MOST_TRIALS) {
                search.broken(
                    "sweeps", "must have at most " + MOST_TRIALS + " trials together", total);
                return Optional.empty();
              }
              return rounds.size() == sections.size() && !rounds.isEmpty()
                  ? Optional.of(rounds)
                  : Optional.empty();
            });
  }
}
