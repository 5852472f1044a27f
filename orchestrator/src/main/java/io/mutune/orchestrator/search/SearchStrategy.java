package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How a study looks for its model. First a plan of charges that needs no data, then a decision from
 * released values only, deterministic but for public seeds; {@link SecretTrials} alone decide in
 * secret, within its charge. What runs may spend is told by the kind of strategy.
 */
public sealed interface SearchStrategy permits ReleasedTrials, SecretTrials {
  /** The name in sweeps and results. */
  String name();

  /** The number of steps that every run takes; empty if it is chosen on the way. */
  default OptionalInt fixedSteps() {
    return searchedSpace().map(space -> space.steps().only()).orElse(OptionalInt.empty());
  }

  /** Whether points are found by ν, the noise in a logit. */
  default boolean searchesLogitNoise() {
    return searchedSpace().filter(RadiusSpace::isOfLogitNoise).isPresent();
  }

  /** Whether runs are compared, so that a sweep has to say how they are scored. */
  boolean scores();

  /** From which points are drawn or laid out; empty for a strategy with a range of its own. */
  default Optional<RadiusSpace> searchedSpace() {
    return Optional.empty();
  }

  /** Whether it is secret how many runs there are, and all but the best one. */
  default boolean isSecret() {
    return false;
  }

  /** The share of the rows that each trial has, a sample of its own; 1 for all of them. */
  default double sampleRate() {
    return 1;
  }

  /** Whether the study costs more than its budget, for rows that need no protection. */
  default boolean passesBudget() {
    return false;
  }

  /** Why the rounds are these, where the sweep leaves them to the plan. */
  default Optional<String> why() {
    return Optional.empty();
  }

  /** Why runs take as many steps, where the sweep leaves that to the plan. */
  default Optional<String> whySteps() {
    return Optional.empty();
  }

  /**
   * What is left for the final run.
   *
   * @param mu of its noise, as {@link PlannedTrial#mu}
   * @param epsilon of that run alone at the study's δ
   */
  record Target(Mu mu, Epsilon epsilon) {}

  /** Chooses the point of one trial. */
  @FunctionalInterface
  interface PointChoice {
    TrialPoint choose(int indexInRound, SweepRound round, Mu mu);
  }

  /** Lays out the trials of all rounds, numbered through. */
  static List<PlannedTrial> layOut(
      List<SweepRound> rounds, Function<Epsilon, Mu> noise, PointChoice choice) {
    List<PlannedTrial> trials = new ArrayList<>();
    for (int r = 0; r < rounds.size(); r++) {
      SweepRound round = rounds.get(r);
      Mu mu = noise.apply(round.epsilon());
      for (int i = 0; i < round.trials(); i++) {
        TrialPoint point = choice.choose(i, round, mu);
        trials.add(new PlannedTrial(trials.size() + 1, r + 1, round.epsilon(), mu, point));
      }
    }
    return List.copyOf(trials);
  }
}
