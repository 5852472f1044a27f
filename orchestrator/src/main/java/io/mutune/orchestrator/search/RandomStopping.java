package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * Random stopping (Papernot and Steinke 2022): runs at random points, as many as a law says, and
 * only the best is released. How many there were and everything about the others stays secret, and
 * so do the draws: nothing here comes from a public seed.
 *
 * @param space from which each point is drawn, alike and on its own: the prior of the paper
 * @param law of the number of runs; not of a shape below 0, whose tail cannot be run
 */
public record RandomStopping(RadiusSpace space, TrialCount law) implements SearchStrategy {
  private static final double LEAST_SHAPE = 1e-9;

  public RandomStopping {
    // Closer to 0 its probabilities would lose the digits that CountLaw has.
    if (law instanceof TruncatedNegativeBinomial tnb
        && tnb.shape() != 0
        && !(tnb.shape() >= LEAST_SHAPE)) {
      throw new IllegalArgumentException(
          "the shape of the law must be 0 or at least " + LEAST_SHAPE + ": " + law);
    }
  }

  @Override
  public String name() {
    return "random-stopping";
  }

  @Override
  public OptionalInt fixedSteps() {
    return space.steps().only();
  }

  @Override
  public boolean searchesLogitNoise() {
    return space.isOfLogitNoise();
  }

  @Override
  public boolean scores() {
    return true;
  }

  /**
   * The point of one run.
   *
   * @param secret bits of this run alone
   * @param mu of the training in each run
   */
  public TrialPoint draw(long secret, RunScale scale, Mu mu) {
    return space.draw(new SplittableRandom(secret), scale, mu);
  }

  /**
   * How many runs there are.
   *
   * @param high 64 uniform bits
   * @param low 64 others
   */
  public int count(long high, long low) {
    return CountLaw.quantile(law, CountLaw.share(high, low));
  }

  /**
   * The least δ at which the drawn law costs what the charged one does, but for a ten-millionth:
   * two laws that are apart by t add (1 + e^ε)t to δ.
   */
  public static double leastDelta(double epsilon) {
    return 1e7 * CountLaw.ERROR * (1 + Math.exp(epsilon));
  }
}
