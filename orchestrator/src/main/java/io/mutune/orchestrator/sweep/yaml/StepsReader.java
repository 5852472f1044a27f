package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.EnoughSteps;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.StepRange;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code steps} of a search over ν: a number, a range of which the largest is taken, {@code
 * auto}, or {@code {auto: 500}} with the most that the plan may take.
 *
 * @param budget of the study
 * @param scale of a run on all rows
 */
record StepsReader(Budget budget, RunScale scale) {
  private static final String STEPS = "steps";
  private static final String AUTO = "auto";

  /**
   * The steps of a space; the usual number where it gives none.
   *
   * @param known what the plan goes by; empty where another part of the sweep has a mistake
   * @param largestNoise the largest ν that a run may take
   */
  static Optional<EnoughSteps> read(
      YamlSection space, Optional<StepsReader> known, double largestNoise) {
    if (!space.has(STEPS)) {
      return Optional.of(EnoughSteps.given(EnoughSteps.USUAL));
    }
    if (!isAuto(space)) {
      return SpaceReader.steps(space).map(StepRange::max).map(EnoughSteps::given);
    }
    return most(space)
        .flatMap(
            most ->
                known.map(
                    k ->
                        EnoughSteps.of(
                            largestNoise, k.scale, k.budget.cap().mu(), most.intValue())));
  }

  /** Whether the plan chooses, or a word that is no number is meant to say so. */
  static boolean isAuto(YamlSection space) {
    if (space.isMapping(STEPS)) {
      return space.lineOf(STEPS, AUTO).isPresent();
    }
    return space.scalar(STEPS).filter(word -> word.matches("[A-Za-z]+")).isPresent();
  }

  private static Optional<Long> most(YamlSection space) {
    if (!space.isMapping(STEPS)) {
      return space.word(STEPS, List.of(AUTO)).map(word -> (long) EnoughSteps.MOST);
    }
    return space
        .section(STEPS)
        .flatMap(
            section -> {
              Optional<Long> most = section.integer(AUTO, 1, SpaceReader.MOST_STEPS);
              section.finish();
              return most;
            });
  }
}
