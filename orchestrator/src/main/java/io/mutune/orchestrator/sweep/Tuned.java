package io.mutune.orchestrator.sweep;

/** What the search has to look for, the rest of a method being public settings. */
public enum Tuned {
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
