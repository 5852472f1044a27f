package io.mutune.orchestrator.metrics;

import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.util.Optional;

/**
 * Measures how long each operation of a store takes, by the operation's name; but for the one that
 * asks by the clock whether a study is cancelled, since how often it did is how long training took,
 * and that tells how many rows there are, or how many runs in secret.
 */
public final class MeasuredStore {
  private static final String BY_THE_CLOCK = "study";

  private MeasuredStore() {}

  /**
   * Returns the same store, measured.
   *
   * @param stepTimes whether to measure training steps too, whose time is no released value; not of
   *     a study with secret runs
   */
  public static StudyStore of(StudyStore store, MutuneMetrics metrics, boolean stepTimes) {
    Optional<StepTimes> steps =
        stepTimes
            ? Optional.of(new StepTimes(metrics, System::nanoTime, id -> isSecret(store, id)))
            : Optional.empty();
    return StoreDecorator.of(
        store,
        (operation, arguments, inner) -> {
          long start = System.nanoTime();
          steps.ifPresent(times -> times.before(operation, arguments));
          try {
            return inner.run(arguments);
          } finally {
            if (!operation.equals(BY_THE_CLOCK)) {
              metrics.stored(operation, System.nanoTime() - start);
            }
            steps.ifPresent(times -> times.after(operation, arguments));
          }
        });
  }

  private static boolean isSecret(StudyStore store, String id) {
    return store.study(id).map(study -> Study.sweepOf(study).search().isSecret()).orElse(true);
  }
}
