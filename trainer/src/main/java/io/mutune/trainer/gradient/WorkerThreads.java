package io.mutune.trainer.gradient;

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
final class WorkerThreads implements AutoCloseable {
  /** Looks before a thread offers its core to others: some tens of microseconds. */
  private static final int SPINS = 2000;

  /**
   * Nanoseconds from the first look until a thread sleeps. What lies between two steps (noise, the
   * update) is shorter as a rule, and a thread that slept is called back late and to a cold cache.
   */
  private static final long AWAKE_NANOS = 2_000_000;

  /** Processors that pools {@link #ofFreeProcessors} have. */
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private final int taken;
  private final List<Thread> helpers = new ArrayList<>();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger job = new AtomicInteger();
  private volatile IntConsumer work = number -> {};
  private volatile boolean closed;
  private volatile @Nullable Thread caller;
  private volatile @Nullable Throwable failure;

  WorkerThreads(int threads) {
    this(threads, 0);
  }

  private WorkerThreads(int threads, int taken) {
    if (threads < 1) {
      throw new IllegalArgumentException("a sum needs a thread; was " + threads);
    }
    this.taken = taken;
    for (int t = 1; t < threads; t++) {
      int number = t;
      Thread helper = new Thread(() -> help(number), "clipped-sum-" + number);
      helper.setDaemon(true);
      helpers.add(helper);
    }
    helpers.forEach(Thread::start);
  }

  /**
   * As many as there are processors that no other of these has, or one: of studies side by side,
   * each on all processors, one waits for threads that the other keeps from running.
   */
  static WorkerThreads ofFreeProcessors() {
    int processors = Runtime.getRuntime().availableProcessors();
    int before = TAKEN.getAndUpdate(taken -> taken + Math.max(1, processors - taken));
    int threads = Math.max(1, processors - before);
    return new WorkerThreads(threads, threads);
  }

  /** How many there are, the caller with them. */
  int threads() {
    return helpers.size() + 1;
  }

  /**
   * Runs the work on every thread and returns when all are done.
   *
   * @param work what each thread does, given its number from 0
   * @throws IllegalStateException if a helper failed
   */
  void run(IntConsumer work) {
    this.work = work;
    caller = Thread.currentThread();
    busy.set(helpers.size());
    job.incrementAndGet();
    for (int h = 0; h < helpers.size(); h++) {
      LockSupport.unpark(helpers.get(h));
    }
    try {
      work.accept(0);
    } finally {
      long start = System.nanoTime();
      for (int spins = 0; busy.get() > 0; spins++) {
        pause(spins, start);
      }
    }
    Throwable failed = failure;
    if (failed != null) {
      throw new IllegalStateException("a thread of the clipped sum failed", failed);
    }
  }

  /** Yields before it parks, so that a waiting thread never keeps a core from a working one. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int spins, long start) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else if (System.nanoTime() - start < AWAKE_NANOS) {
      Thread.yield();
    } else {
      LockSupport.park();
    }
  }

  private void help(int number) {
    int done = 0;
    while (true) {
      long start = System.nanoTime();
      for (int spins = 0; job.get() == done; spins++) {
        if (closed) {
          return;
        }
        pause(spins, start);
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
    if (!closed) {
      TAKEN.addAndGet(-taken);
    }
    closed = true;
    helpers.forEach(LockSupport::unpark);
  }
}
