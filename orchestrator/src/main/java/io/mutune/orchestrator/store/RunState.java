package io.mutune.orchestrator.store;

import java.util.Locale;

/** The states of a run, which is a trial or the final run. */
public enum RunState {
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

  /** Its name in documents and messages. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether its model is released. */
  public boolean isTrained() {
    return this == TRAINED || this == SCORED || this == UNSCORED;
  }

  public boolean canBecome(RunState state) {
    return switch (this) {
      case PLANNED -> state == CHARGED;
      case CHARGED -> state == TRAINED;
      case TRAINED -> state == SCORED || state == UNSCORED;
      case SCORED, UNSCORED -> false;
    };
  }
}
