package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Answers nothing from a store that has lost writes: what it says of charges would be less than was
 * spent. It looks again after a while, since the witness of each ledger is read.
 */
final class StoreGuard {
  private static final long AGAIN_NANOS = Duration.ofSeconds(30).toNanos();

  private final StudyStore store;
  private final LongSupplier clock;
  private final Lock looking = new ReentrantLock();
  private volatile long looked;
  private volatile Optional<String> problem;

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
    if (path.startsWith(Routes.API) || path.startsWith(Routes.METRICS)) {
      Optional<String> found = problem();
      if (found.isPresent()) {
        throw StoreException.damaged(found.get());
      }
    }
  }

  /** Whoever comes while another looks goes by what was known: a server may answer late. */
  private Optional<String> problem() {
    if (clock.getAsLong() - looked >= AGAIN_NANOS && looking.tryLock()) {
      try {
        problem = store.setBack();
      } finally {
        looked = clock.getAsLong();
        looking.unlock();
      }
    }
    return problem;
  }
}
