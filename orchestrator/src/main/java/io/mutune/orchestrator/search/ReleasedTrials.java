package io.mutune.orchestrator.search;

import java.util.List;

/** Strategies that decide from trials whose models and scores are released. */
public sealed interface ReleasedTrials extends SearchStrategy permits TrialsThenFinal, BestOf {
  /**
   * The trials, with their points as far as these are known: all of them, but where scores of
   * earlier rounds choose some. The same answer whenever it is asked, so that a study that is
   * resumed, or shared by several processes, goes on as it would have.
   *
   * @param trials of the plan, in order
   * @param ended those that have ended, each with its score or without one that was lost
   */
  default List<PlannedTrial> placed(
      List<PlannedTrial> trials, List<ScoredTrial> ended, RunScale scale) {
    return trials;
  }

  /**
   * What the study's model comes from: the point of a final run, or a trial that is kept as it is.
   *
   * @param target what the final run may spend, or what each trial spent that may be kept
   * @throws SearchFailedException if too few trials have a score
   */
  Decision decide(List<ScoredTrial> trials, Target target, RunScale scale);
}
