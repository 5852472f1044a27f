package io.mutune.orchestrator.search;

import java.util.List;

/** Strategies that decide from trials whose models and scores are released. */
public sealed interface ReleasedTrials extends SearchStrategy permits TrialsThenFinal, BestOf {
  /**
   * What the study's model comes from: the point of a final run, or a trial that is kept as it is.
   *
   * @param target what the final run may spend, or what each trial spent that may be kept
   * @throws SearchFailedException if too few trials have a score
   */
  Decision decide(List<ScoredTrial> trials, Target target, RunScale scale);
}
