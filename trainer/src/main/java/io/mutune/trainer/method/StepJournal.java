package io.mutune.trainer.method;

/**
 * Remembers, durably, which steps may have read private rows. Each method returns only when what it
 * was told would survive a power cut; if it throws, training stops there.
 *
 * <p>A run that crashed is resumed with the last checkpoint, and as begun steps {@code lastStep} of
 * the last {@link #begin}, or the checkpoint's {@link Iterate#asked} if that was written later: a
 * checkpoint short of {@code lastStep} says that the steps after it were never asked, because the
 * run was cancelled before them.
 */
public interface StepJournal {
  /** How often the run was started, from 1: no two starts of it have the same number. */
  default int start() {
    return 1;
  }

  /** Before any of these steps, counted from 1, reads a private row. */
  void begin(int firstStep, int lastStep);

  /** After every step up to {@link Iterate#asked} was taken or lost. */
  void checkpoint(Iterate iterate);

  /**
   * Shows the weights after some of the steps, where these are a model and released: they may be
   * judged on public rows. Nothing has to be kept of it.
   *
   * @param step that was taken last
   * @param weights {@code [features, columns]}, row-major; the journal's own
   */
  default void reached(int step, double[] weights) {}
}
