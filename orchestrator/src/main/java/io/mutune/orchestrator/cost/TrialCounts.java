package io.mutune.orchestrator.cost;

import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;

/** Makes the law of a secret number of runs from its shape and its mean. */
public final class TrialCounts {
  /** Lowers γ by more than the root finder and the logarithm may have missed it by. */
  private static final double ROOM = 0x1p-40;

  private TrialCounts() {}

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
