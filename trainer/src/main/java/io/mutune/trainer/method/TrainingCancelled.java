package io.mutune.trainer.method;

/** Training stopped because it was asked to; its last checkpoint is written. */
public final class TrainingCancelled extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param asked how many steps are used up
   * @param steps of how many
   */
  public TrainingCancelled(int asked, int steps) {
    super("training was cancelled after %d of %d steps".formatted(asked, steps));
  }
}
