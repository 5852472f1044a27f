package io.mutune.orchestrator.study;

import java.util.function.BooleanSupplier;

/** Makes every run of a study stop within a step, and none start. */
final class StudyCancellation {
  private final BooleanSupplier cancelled;
  private volatile boolean cancelledHere;

  /**
   * @param cancelled by the user, whatever happens here
   */
  StudyCancellation(BooleanSupplier cancelled) {
    this.cancelled = cancelled;
  }

  void cancel() {
    cancelledHere = true;
  }

  boolean isCancelled() {
    return cancelledHere || cancelled.getAsBoolean();
  }

  /** Stops a run that is cancelled; called before each charge, and before what it pays for. */
  void check() {
    if (isCancelled()) {
      throw new StudyInterruptedException();
    }
  }
}
