package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Finds out that somebody has cancelled the study that this process runs. Asked after every step,
 * and asks the store once a second.
 */
final class Cancellation {
  private static final long NANOS_BETWEEN = TimeUnit.SECONDS.toNanos(1);

  private final StudyStore store;
  private final String study;
  private final LongSupplier nanoTime;
  private final AtomicLong looked;
  private volatile boolean seen;

  Cancellation(StudyStore store, String study, LongSupplier nanoTime) {
    this.store = store;
    this.study = study;
    this.nanoTime = nanoTime;
    this.looked = new AtomicLong(nanoTime.getAsLong());
  }

  boolean isSeen() {
    long before = looked.get();
    long now = nanoTime.getAsLong();
    if (!seen && now - before >= NANOS_BETWEEN && looked.compareAndSet(before, now)) {
      seen = now().isPresent();
    }
    return seen;
  }

  /** What to say of it, if it is cancelled now; a store that does not answer has its own say. */
  Optional<String> now() {
    try {
      return store
          .study(study)
          .filter(record -> record.state() == StudyState.CANCELLED)
          .map(Cancellation::words);
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  private static String words(StudyRecord record) {
    return "study %s was cancelled%s; what was charged stays charged"
        .formatted(record.id(), record.reason().map(reason -> ": " + reason).orElse(""));
  }
}
