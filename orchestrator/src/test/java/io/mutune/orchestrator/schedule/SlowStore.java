package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StudyStore;
import java.util.concurrent.CountDownLatch;

/**
 * A store as a process sees it that stands still before its nth question to it, as one does while
 * its memory is cleaned up or its machine sleeps, until it is let go on.
 */
final class SlowStore {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final StudyStore seen;
  private int questions;
  private volatile boolean stoodStill;

  SlowStore(StudyStore store, int stop) {
    this.seen =
        StoreDecorator.of(
            store,
            (operation, arguments, inner) -> {
              questions++;
              if (questions == stop) {
                stoodStill = true;
                reached.countDown();
                goOn.await();
              }
              return inner.run(arguments);
            });
  }

  StudyStore seen() {
    return seen;
  }

  /** Does the work in a thread, and returns when it stands still, or has ended before. */
  Thread start(Runnable work) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              work.run();
              reached.countDown();
            });
    thread.start();
    reached.await();
    return thread;
  }

  boolean stoodStill() {
    return stoodStill;
  }

  void goOn() {
    goOn.countDown();
  }
}
