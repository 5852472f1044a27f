package io.mutune.orchestrator.study;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.commons.io.function.IOSupplier;

/** Makes every run of a study stop within a step, and none start. */
final class StudyCancellation {
  private final BooleanSupplier cancelled;
  private final BooleanSupplier interrupted;
  private volatile boolean cancelledHere;
  private volatile boolean losesAll;

  /**
   * @param cancelled by the user, whatever happens here
   * @param interrupted likewise, where it can be gone on with
   */
  StudyCancellation(BooleanSupplier cancelled, BooleanSupplier interrupted) {
    this.cancelled = cancelled;
    this.interrupted = interrupted;
  }

  void cancel() {
    cancelledHere = true;
  }

  boolean isCancelled() {
    return cancelledHere || cancelled.getAsBoolean() || (!losesAll && interrupted.getAsBoolean());
  }

  /**
   * Does what is lost when it is stopped before its end, so that an interruption waits for it. That
   * it is under way is remembered here and not asked of the store: it is looked at after each step,
   * and whoever counts what the store is asked would learn how many secret steps there were.
   */
  <T> T uninterrupted(IOSupplier<T> work) throws IOException {
    losesAll = true;
    try {
      return work.get();
    } finally {
      losesAll = false;
    }
  }

  /** Stops a run that is cancelled; called before each charge, and before what it pays for. */
  void check() {
    if (isCancelled()) {
      throw new StudyInterruptedException();
    }
  }
}
