package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers nothing from a store that has lost writes: what it says of charges would be less than was
 * spent. It looks again after a while, since the witness of each ledger is read.
 */
final class StoreGuard {
  private static final long AGAIN_NANOS = Duration.ofSeconds(30).toNanos();

  private final StudyStore store;
  private final LongSupplier clock;
  private long looked;
  private Optional<String> problem;

  /**
   * @param clock in nanoseconds
   */
  StoreGuard(StudyStore store, LongSupplier clock) {
    this.store = store;
    this.clock = clock;
    looked = clock.getAsLong();
    problem = store.setBack();
  }

  /** Lets a request through, unless it is about what the store has and that is not all. */
  void check(Context ctx) {
    check(ctx.path());
  }

  void check(String path) {
    if (path.startsWith(Routes.API) || path.equals(Routes.METRICS)) {
      Optional<String> found = problem();
      if (found.isPresent()) {
        throw StoreException.damaged(found.get());
      }
    }
  }

  private synchronized Optional<String> problem() {
    long now = clock.getAsLong();
    if (now - looked >= AGAIN_NANOS) {
      problem = store.setBack();
      looked = now;
    }
    return problem;
  }
}
