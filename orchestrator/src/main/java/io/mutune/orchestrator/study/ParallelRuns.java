package io.mutune.orchestrator.study;

import io.mutune.trainer.gradient.Lockstep;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs that go on at once, in lockstep, each on a thread of its own. The first that fails stops the
 * others, and is what is reported; nothing of them runs any more when {@link #run} returns.
 *
 * @param <T> what names a run
 */
final class ParallelRuns<T> {
  /** One run, such as a trial from its charge to its score. */
  @FunctionalInterface
  interface Task<T> {
    /**
     * Runs it.
     *
     * @param engine for this run alone; closed when it has trained, so that nobody waits for it
     */
    void run(T run, Lockstep.Member engine) throws IOException;
  }

  private final Task<T> task;
  private final Runnable stop;
  private final AtomicReference<@Nullable Throwable> news = new AtomicReference<>();

  /**
   * @param stop makes every task end soon, with a {@link StudyInterruptedException}
   */
  ParallelRuns(Task<T> task, Runnable stop) {
    this.task = task;
    this.stop = stop;
  }

  /**
   * Runs the trials to their ends.
   *
   * @param lockstep with as many members
   * @throws IOException if a trial threw it
   */
  void run(List<T> trials, Lockstep lockstep) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(trials.size());
    int started = 0;
    try {
      while (started < trials.size()) {
        int t = started;
        threads.execute(() -> runOne(trials.get(t), lockstep.member(t)));
        started++;
      }
    } catch (RuntimeException | Error e) {
      // No room for a thread, say.
      fail(e);
    } finally {
      for (int t = started; t < trials.size(); t++) {
        lockstep.member(t).close();
      }
      threads.shutdown();
      awaitEnd(threads);
    }
    rethrow();
  }

  private void runOne(T trial, Lockstep.Member engine) {
    try (engine) {
      task.run(trial, engine);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /**
   * What failed comes before what was stopped, by it or by the user, in whatever order they end.
   */
  private void fail(Throwable failure) {
    news.accumulateAndGet(
        failure,
        (before, now) ->
            before == null
                    || (before instanceof StudyInterruptedException
                        && !(now instanceof StudyInterruptedException))
                ? now
                : before);
    stop.run();
  }

  /** The store must not close under a trial that still writes. */
  private void awaitEnd(ExecutorService threads) {
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
        fail(new StudyInterruptedException());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void rethrow() throws IOException {
    Throwable failure = news.get();
    if (failure instanceof IOException io) {
      throw io;
    }
    if (failure instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }
}
