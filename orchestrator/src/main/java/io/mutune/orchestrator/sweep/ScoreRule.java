package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;

/** How trials are scored. */
public sealed interface ScoreRule {
  /** There are no trials. */
  record None() implements ScoreRule {}

  /** Accuracy on public validation rows: free. */
  record PublicValidation() implements ScoreRule {}

  /**
   * A charged noisy count of correct private rows.
   *
   * @param epsilon of each score alone, at the study's δ
   * @param onTraining whether the training rows are counted, else private validation rows
   */
  record NoisyCount(Epsilon epsilon, boolean onTraining) implements ScoreRule {}

  /**
   * The accuracy on the training rows as it is, which no statement covers: for rows that are
   * declared public or simulated alone.
   */
  record Uncharged() implements ScoreRule {}
}
