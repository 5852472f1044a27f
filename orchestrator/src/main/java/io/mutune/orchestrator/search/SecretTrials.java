package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Runs at random points, as many as a law says, of which the best alone is released (Papernot and
 * Steinke 2022). How many there were and everything about the others stays secret, and so do the
 * draws: nothing here comes from a public seed.
 */
public sealed interface SecretTrials extends SearchStrategy
    permits RandomStopping, SubsampledTuning {
  /** From which each point is drawn, alike and on its own: the prior of the paper. */
  RadiusSpace space();

  /** Of the number of runs; not of a shape below 0, whose tail cannot be run. */
  TrialCount law();

  /**
   * ε of all runs together at the study's δ, where a final run takes the best point over; empty
   * where the best run's model is the result and the runs have the whole budget.
   */
  Optional<Epsilon> tuningEpsilon();

  @Override
  default boolean isSecret() {
    return true;
  }

  @Override
  default Optional<RadiusSpace> searchedSpace() {
    return Optional.of(space());
  }

  @Override
  default boolean scores() {
    return true;
  }

  /**
   * The point of one run.
   *
   * @param secret bits of this run alone
   * @param scale of a run, on as many rows as it has
   * @param mu of the training in each run
   */
  default TrialPoint draw(long secret, RunScale scale, Mu mu) {
    return space().draw(new SplittableRandom(secret), scale, mu);
  }

  /**
   * The final run's point, with the ν of the best run: in it problems of different sizes are alike.
   *
   * @param best that was released
   * @param ofRuns the scale of the runs, on as many rows as a sample has, and their μ
   * @param ofFinal the scale of the final run, and its μ
   */
  static Decision carriedOver(
      TrialPoint best, RunScale ofRuns, Mu runs, RunScale ofFinal, Mu last) {
    List<Guard> guards = new ArrayList<>();
    double nu = ofRuns.logitNoise(best, runs);
    RunScale scale = ofFinal.with(best.settings());
    TrialPoint point =
        StabilityLimit.spread(scale.radius(nu, last), best.steps(), scale, guards)
            .with(best.settings());
    return new Decision(point, Optional.empty(), List.copyOf(guards));
  }

  /**
   * How many runs there are.
   *
   * @param high 64 uniform bits
   * @param low 64 others
   */
  default int count(long high, long low) {
    return CountLaw.quantile(law(), CountLaw.share(high, low));
  }

  /**
   * The least δ at which the drawn law costs what the charged one does, but for a ten-millionth:
   * two laws that are apart by t add (1 + e^ε)t to δ.
   */
  static double leastDelta(double epsilon) {
    return 1e7 * CountLaw.ERROR * (1 + Math.exp(epsilon));
  }

  /** The greatest ε at which that is no more than this δ; empty if it is more at any. */
  static Optional<Double> greatestEpsilon(double delta) {
    return Optional.of(Math.log(2 * delta / leastDelta(0) - 1)).filter(epsilon -> epsilon > 0);
  }

  /** Refuses a law that {@link CountLaw} does not draw from. */
  static void require(TrialCount law) {
    // Closer to 0 its probabilities would lose the digits that CountLaw has.
    if (law instanceof TruncatedNegativeBinomial tnb
        && tnb.shape() != 0
        && !(tnb.shape() >= 1e-9)) {
      throw new IllegalArgumentException("the shape of the law must be 0 or at least 1e-9: " + law);
    }
  }
}
