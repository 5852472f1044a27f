package io.mutune.orchestrator.search;

/**
 * A method's own number that a search may choose beside rate and steps. What a run costs depends on
 * the sampling rate alone: noise is in units of the clip norm, and the rest acts on what was
 * released.
 */
public enum Setting {
  CLIP_NORM("clipNorm"),
  CLIP_QUANTILE("clipQuantile"),
  WEIGHT_DECAY("weightDecay"),
  PROJECTION_RADIUS("projectionRadius"),
  /** q; a plan fixes it, and the noise that goes with it, for every run beforehand. */
  SAMPLING_RATE("samplingRate");

  private final String key;

  Setting(String key) {
    this.key = key;
  }

  /** The word in a sweep, in {@code train} and in {@code search.space}. */
  public String key() {
    return key;
  }
}
