package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.orchestrator.search.SearchStrategy;

/**
 * A model that a study trains beside its final one, with noise of its own.
 *
 * @param number counted from 1, the cheapest first
 * @param epsilon of its run alone, as the sweep gives it
 * @param mu likewise
 * @param run its number among the study's runs
 */
public record PlannedRelease(int number, Epsilon epsilon, Mu mu, int run) {
  /** What it is called, on the ledger as in the study's folder. */
  public String name() {
    return question().name();
  }

  /** The folder of its model within the study's. */
  public String folder() {
    return name().replace(' ', '-');
  }

  Question question() {
    return Question.release(number);
  }

  /** What the search chooses its point for. */
  public SearchStrategy.Target target() {
    return new SearchStrategy.Target(mu, epsilon);
  }
}
