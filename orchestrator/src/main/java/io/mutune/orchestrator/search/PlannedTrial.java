package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One trial. What it may cost is fixed before any data is read. So is its point, unless the
 * strategy takes it from released scores of earlier rounds.
 *
 * @param number 1-based, over all rounds
 * @param round 1-based
 * @param mu of its noise: of a Gaussian run over all rows whose steps sum to as much noise. Where
 *     training is Gaussian, what it may cost
 * @param steps T, at least 1; fixed with the charge, which is for so many
 * @param known its point; empty as long as it follows from scores that are not there yet
 * @param from the trial of the round before whose candidate goes on in this one; empty where none
 *     does
 */
public record PlannedTrial(
    int number,
    int round,
    Epsilon epsilon,
    Mu mu,
    int steps,
    Optional<TrialPoint> known,
    OptionalInt from) {
  /** At a point that is fixed before any data is read. */
  public PlannedTrial(int number, int round, Epsilon epsilon, Mu mu, TrialPoint point) {
    this(number, round, epsilon, mu, point.steps(), Optional.of(point), OptionalInt.empty());
  }

  /** At a point that scores of the round before are to choose. */
  static PlannedTrial byScores(int number, int round, Epsilon epsilon, Mu mu, int steps) {
    return new PlannedTrial(
        number, round, epsilon, mu, steps, Optional.empty(), OptionalInt.empty());
  }

  /**
   * The same at another point of as many steps.
   *
   * @param before the trial of the round before at the same candidate; empty where there is none
   */
  public PlannedTrial at(TrialPoint point, OptionalInt before) {
    if (point.steps() != steps) {
      throw new IllegalArgumentException(
          "trial " + number + " is charged for " + steps + " steps; was " + point.steps());
    }
    return new PlannedTrial(number, round, epsilon, mu, steps, Optional.of(point), before);
  }

  /** Whether its point is known by now. */
  public boolean isPlaced() {
    return known.isPresent();
  }

  /**
   * Its point.
   *
   * @throws IllegalStateException if scores are still to choose it
   */
  public TrialPoint point() {
    return known.orElseThrow(
        () ->
            new IllegalStateException(
                "the point of trial " + number + " follows from scores that are not there yet"));
  }
}
