package io.mutune.trainer.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do one thing together, again and again: the caller is one of them, the others wait
 * for it. Starting a job allocates nothing. Belongs to one thread at a time.
 */
final class Crew implements AutoCloseable {
  /** Looks before a thread sleeps: some tens of microseconds, about what waking it costs. */
  private static final int SPINS = 2000;

  private final IntConsumer work;
  private final List<Thread> helpers = new ArrayList<>();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger job = new AtomicInteger();
  private volatile boolean closed;
  private volatile @Nullable Thread caller;
  private volatile @Nullable Throwable failure;

  /**
   * @param work what each thread does in a job, given its number from 0
   */
  Crew(int threads, IntConsumer work) {
    this.work = work;
    for (int t = 1; t < threads; t++) {
      int number = t;
      Thread helper = new Thread(() -> help(number), "clipped-sum-" + number);
      helper.setDaemon(true);
      helpers.add(helper);
    }
    helpers.forEach(Thread::start);
  }

  /**
   * Runs the work on every thread and returns when all are done.
   *
   * @throws IllegalStateException if a helper failed
   */
  void run() {
    caller = Thread.currentThread();
    busy.set(helpers.size());
    job.incrementAndGet();
    for (int h = 0; h < helpers.size(); h++) {
      LockSupport.unpark(helpers.get(h));
    }
    try {
      work.accept(0);
    } finally {
      for (int spins = 0; busy.get() > 0; spins++) {
        pause(spins);
      }
    }
    Throwable failed = failure;
    if (failed != null) {
      throw new IllegalStateException("a thread of the clipped sum failed", failed);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.park();
    }
  }

  private void help(int number) {
    int done = 0;
    while (true) {
      for (int spins = 0; job.get() == done; spins++) {
        if (closed) {
          return;
        }
        pause(spins);
      }
      done = job.get();
      try {
        work.accept(number);
      } catch (RuntimeException | Error e) {
        failure = e;
      } finally {
        busy.decrementAndGet();
        LockSupport.unpark(caller);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    helpers.forEach(LockSupport::unpark);
  }
}
