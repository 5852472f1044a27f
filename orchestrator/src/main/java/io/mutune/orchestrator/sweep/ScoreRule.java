package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;

/** How trials are scored. */
public sealed interface ScoreRule {
  /** There are no trials. */
  record None() implements ScoreRule {}

  /** Accuracy on public validation rows: free. */
  record PublicValidation() implements ScoreRule {}

  /**
   * The exact accuracy on the training rows, which the sweep declares open: nothing is charged, and
   * the study's guarantee is void.
   */
  record Uncharged() implements ScoreRule {}

  /**
   * A charged noisy count of correct private rows.
   *
   * @param epsilon of each score alone, at the study's δ
   * @param onTraining whether the training rows are counted, else private validation rows
   */
  record NoisyCount(Epsilon epsilon, boolean onTraining) implements ScoreRule {}
}
