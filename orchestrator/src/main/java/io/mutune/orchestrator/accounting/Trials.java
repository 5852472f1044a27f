package io.mutune.orchestrator.accounting;

import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;

/** The law of a secret number of runs, by its shape and mean. */
public final class Trials {
  /** Lowers γ by more than the root finder and the logarithm may have missed it by. */
  private static final double ROOM = 0x1p-40;

  private Trials() {}

  /**
   * Poisson's law for an infinite shape. The γ of the others is rounded down, which makes more
   * runs.
   *
   * @throws IllegalArgumentException if no such law has this mean
   */
  public static TrialCount ofMean(Decimal shape, Decimal mean) {
    if (shape.infinite()) {
      return new PoissonTrials(mean.positive("mean").up());
    }
    TruncatedNegativeBinomial law =
        TruncatedNegativeBinomial.ofMean(shape.nearest(), mean.positive("mean").up());
    return new TruncatedNegativeBinomial(law.shape(), law.gamma() * (1 - ROOM));
  }
}
