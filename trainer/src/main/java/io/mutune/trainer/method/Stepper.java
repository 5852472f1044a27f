package io.mutune.trainer.method;

/** One run of a method, as {@link StepLoop} sees it: where it stands, and how to take a step. */
public interface Stepper {
  /** How many steps are used up: taken, or begun and lost in a crash. */
  int asked();

  /** Uses up the steps to {@code step}, which were begun once and are spent, without a question. */
  void skipTo(int step);

  /**
   * Asks the private rows and moves; uses up one step, whose number is then {@link #asked}.
   *
   * @throws TrainingCancelled before anything that was asked is released; no step is used up then
   */
  void step();

  /** Everything that the run has to remember, in released values. */
  Iterate iterate();

  /** Whether the weights of each iterate are a model, and may be seen. */
  default boolean iteratesAreModels() {
    return false;
  }

  /** Whether no further step is to be asked, decided by released values alone. */
  default boolean finished() {
    return false;
  }
}
