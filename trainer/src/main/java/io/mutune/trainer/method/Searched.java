package io.mutune.trainer.method;

/** What a search has to find for a method, the rest being public settings. */
public enum Searched {
  /** A radius: the noise of a run in a logit is proportional to it, as ν supposes. */
  RADIUS,
  /** A learning rate and steps; ν says nothing. */
  LEARNING_RATE,
  /** The number of steps alone. */
  STEPS,
  /** Nothing: the settings and the budget decide everything. */
  NOTHING;

  /** Whether a run has a learning rate that the search gives. */
  public boolean hasRate() {
    return this == RADIUS || this == LEARNING_RATE;
  }
}
