package io.mutune.orchestrator.server;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes plans and statements a few at a time. Either may take seconds of a core, so that without
 * a bound a few callers could take the cores from what trains.
 */
final class PlanDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanDesk.class);
  private static final int WAITING = 8;
  private static final long CLOSING_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private final int seconds;

  PlanDesk(ServerSettings.Limits limits) {
    this.seconds = limits.planSeconds();
    this.threads =
        new ThreadPoolExecutor(
            limits.plansAtOnce(),
            limits.plansAtOnce(),
            60,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Does the work for a caller who may give up after some time; it then goes on for nobody.
   *
   * @throws HttpProblem if there is no room, or it takes too long
   */
  <T> T within(Callable<T> work) throws IOException {
    return result(submit(work), true);
  }

  /** Does the work, however long it takes: for what has been planned in time before. */
  <T> T whole(Callable<T> work) throws IOException {
    return result(submit(work), false);
  }

  private <T> Future<T> submit(Callable<T> work) {
    try {
      return threads.submit(work);
    } catch (RejectedExecutionException e) {
      throw new HttpProblem(503, "too many plans are being computed; try again in a while");
    }
  }

  private <T> T result(Future<T> future, boolean bounded) throws IOException {
    try {
      return bounded ? future.get(seconds, TimeUnit.SECONDS) : future.get();
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new HttpProblem(503, "planning this sweep takes longer than " + seconds + " seconds");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpProblem(503, "the server is stopping");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw unchecked(e);
    }
  }

  /** What made a task fail, as whoever waits for it may throw it. */
  static RuntimeException unchecked(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException runtime ? runtime : new IllegalStateException(cause);
  }

  /** Lets a submission that is being written down end first; the store closes after this. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a plan is still being computed; it is left alone");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
