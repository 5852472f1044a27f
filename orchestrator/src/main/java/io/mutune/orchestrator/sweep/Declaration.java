package io.mutune.orchestrator.sweep;

/**
 * What the sweep says about the training rows. Whatever it says, a study charges them alike; what a
 * study never does with private rows (an uncharged look at them, a comparison that forgets what its
 * studies cost) is open only to rows that are declared public or simulated.
 */
public enum Declaration {
  PRIVATE("private"),
  PUBLIC("public"),
  SIMULATED("simulated");

  private final String key;

  Declaration(String key) {
    this.key = key;
  }

  /** The word in a sweep. */
  public String key() {
    return key;
  }

  /** Whether the rows need no protection. */
  public boolean isOpen() {
    return this != PRIVATE;
  }
}
