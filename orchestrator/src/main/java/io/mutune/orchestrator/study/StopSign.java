package io.mutune.orchestrator.study;

import java.util.function.BooleanSupplier;

/** Makes every run of a study stop within a step, and none start. */
final class StopSign {
  private final BooleanSupplier cancelled;
  private volatile boolean up;

  /**
   * @param cancelled by the user, whatever happens here
   */
  StopSign(BooleanSupplier cancelled) {
    this.cancelled = cancelled;
  }

  void raise() {
    up = true;
  }

  boolean isUp() {
    return up || cancelled.getAsBoolean();
  }

  /** Before a charge, and before what is charged. */
  void refuse() {
    if (isUp()) {
      throw new StudyInterruptedException();
    }
  }
}
