package io.mutune.orchestrator.metrics;

import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;

/** Measures how long each operation of a store takes, by the operation's name. */
public final class MeasuredStore {
  private MeasuredStore() {}

  /**
   * Returns the same store, measured.
   *
   * @param stepTimes whether to measure training steps too, whose time is no released value
   */
  public static StudyStore of(StudyStore store, MutuneMetrics metrics, boolean stepTimes) {
    Optional<StepTimes> steps =
        stepTimes ? Optional.of(new StepTimes(metrics, System::nanoTime)) : Optional.empty();
    return StoreDecorator.of(
        store,
        (operation, arguments, inner) -> {
          long start = System.nanoTime();
          steps.ifPresent(times -> times.before(operation, arguments));
          try {
            return inner.run(arguments);
          } finally {
            metrics.stored(operation, System.nanoTime() - start);
            steps.ifPresent(times -> times.after(operation, arguments));
          }
        });
  }
}
