package io.mutune.orchestrator.store;

import java.util.EnumSet;
import java.util.Set;

/** The states of a run, which is a trial or the final run. */
public enum TrialState {
  /** Nothing was charged or asked. */
  PLANNED,
  /** Its charge is on disk: private rows may be read for it. */
  CHARGED,
  /** Its model is released. */
  TRAINED,
  /** Its score is released. */
  SCORED,
  /** The charge of its score was spent and the score lost in a crash. */
  UNSCORED;

  private Set<TrialState> next() {
    return switch (this) {
      case PLANNED -> EnumSet.of(CHARGED);
      case CHARGED -> EnumSet.of(TRAINED);
      case TRAINED -> EnumSet.of(SCORED, UNSCORED);
      case SCORED, UNSCORED -> EnumSet.noneOf(TrialState.class);
    };
  }

  /** Returns whether its model is released. */
  public boolean isTrained() {
    return this == TRAINED || this == SCORED || this == UNSCORED;
  }

  public boolean canBecome(TrialState state) {
    return next().contains(state);
  }
}
