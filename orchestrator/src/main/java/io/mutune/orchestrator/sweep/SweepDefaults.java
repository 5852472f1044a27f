package io.mutune.orchestrator.sweep;

/**
 * By which defaults a sweep's text is planned where it leaves something out. A study keeps those
 * that it was planned by, since charges follow from the plan and it is made anew from the text.
 */
public enum SweepDefaults {
  /**
   * A search over ν that gives no steps takes 100, and with {@code auto} 500 at most, below the
   * limit that momentum 0.9 has at zero weights. Studies of before this was noted.
   */
  HUNDRED_STEPS,

  /** It takes as many as its plan finds. */
  PLANNED_STEPS
}
