package io.mutune.trainer.method;

/** Takes a run's steps under its journal, and stops when it is told to. */
public final class StepLoop {
  /** Checkpoints of a run: a crash loses at most one part in so many, and writing stays cheap. */
  private static final int CHECKPOINTS = 32;

  /** After so many parts of a run its weights are shown. */
  private static final int SHOWN = 16;

  private StepLoop() {}

  /** How many steps of a run of so many are noted as begun at a time. */
  public static int block(int steps) {
    return (steps - 1) / CHECKPOINTS + 1;
  }

  /**
   * Takes the steps that are left, but for those that were begun before this start and are in no
   * checkpoint.
   *
   * @param steps of the whole run
   * @throws IllegalArgumentException if more were begun
   * @throws TrainingCancelled after a checkpoint of the steps done
   */
  public static void run(int steps, Stepper stepper, TrainingAttempt run) {
    if (run.stepsBegun() > steps) {
      throw new IllegalArgumentException("%d steps begun of %d".formatted(run.stepsBegun(), steps));
    }
    stepper.skipTo(run.stepsBegun());
    int block = block(steps);
    while (stepper.asked() < steps && !stepper.finished()) {
      int last = Math.min(steps, stepper.asked() + block);
      run.journal().begin(stepper.asked() + 1, last);
      while (stepper.asked() < last && !stepper.finished()) {
        try {
          if (run.cancelled().getAsBoolean()) {
            throw new TrainingCancelled(stepper.asked(), steps);
          }
          stepper.step();
        } catch (TrainingCancelled e) {
          run.journal().checkpoint(stepper.iterate());
          throw e;
        }
        run.progress().accept(stepper.asked());
        if (stepper.iteratesAreModels()
            && (stepper.asked() % ((steps - 1) / SHOWN + 1) == 0 || stepper.asked() == steps)) {
          run.journal().reached(stepper.asked(), stepper.iterate().weights());
        }
      }
      run.journal().checkpoint(stepper.iterate());
    }
  }
}
