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
  public RandomStopping {
    if (law instanceof TruncatedNegativeBinomial tnb && tnb.shape() < 0) {
      throw new IllegalArgumentException("the shape of the law must be at least 0: " + law);
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
   * @param secret 64 uniform bits
   */
  public int count(long secret) {
    return CountLaw.quantile(law, ((secret >>> 11) + 0.5) * 0x1p-53);
  }
}
