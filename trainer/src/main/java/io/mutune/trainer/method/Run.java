package io.mutune.trainer.method;

import io.mutune.accountant.NoiseMultiplier;

/**
 * What sets one run of a method apart; public. A method that searches for less does not look at the
 * rest.
 *
 * @param learningRate η, finite and above 0
 * @param steps T, at least 1
 * @param sigma as in {@link TrainingMethod#mechanism}
 */
public record Run(double learningRate, int steps, NoiseMultiplier sigma) {
  public Run {
    Require.learningRate(learningRate);
    Require.steps(steps);
  }
}
