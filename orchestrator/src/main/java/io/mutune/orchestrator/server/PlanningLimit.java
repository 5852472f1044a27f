package io.mutune.orchestrator.server;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes plans and statements, at most one of each caller and a few in all at a time, callers in
 * turn. Each may take seconds of a core: without the limit a few callers could slow training down,
 * and without turns one caller could block the others.
 */
final class PlanningLimit implements AutoCloseable {
  /**
   * The name of the server itself, which plans studies to show them. It waits with its few threads,
   * however many others do, and is not refused.
   */
  static final String SERVER = "";

  private static final Logger LOG = LoggerFactory.getLogger(PlanningLimit.class);
  private static final int WAITING = 24;
  private static final int WAITING_OF_ONE = 4;
  private static final long CLOSING_SECONDS = 5;
  private static final String STOPPING = "the server is stopping";

  private final ThreadPoolExecutor threads;
  private final int atOnce;
  private final int seconds;
  private final Object lock = new Object();

  /** Tasks that have not begun, by caller; the caller that was served last comes last. */
  private final Map<String, Deque<FutureTask<?>>> waiting = new LinkedHashMap<>();

  private final Set<String> served = new HashSet<>();
  private boolean closed;

  PlanningLimit(ServerSettings.Limits limits) {
    this.seconds = limits.planSeconds();
    this.atOnce = limits.plansAtOnce();
    this.threads =
        new ThreadPoolExecutor(atOnce, atOnce, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task and waits for it for a limited time; after that it is cancelled.
   *
   * @param caller the name of a token, or {@link #SERVER}
   * @throws HttpProblem if there is no room, or it takes too long
   */
  <T> T within(String caller, Callable<T> work) throws IOException {
    return result(submit(caller, work), true);
  }

  /** Runs a task without a limit of time, for what was planned in time before. */
  <T> T whole(String caller, Callable<T> work) throws IOException {
    return result(submit(caller, work), false);
  }

  private <T> Future<T> submit(String caller, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    synchronized (lock) {
      if (closed) {
        throw new HttpProblem(503, STOPPING);
      }
      // Callers no longer wait for these.
      waiting.values().forEach(tasks -> tasks.removeIf(FutureTask::isDone));
      waiting.values().removeIf(Deque::isEmpty);
      Deque<FutureTask<?>> own = waiting.getOrDefault(caller, new ArrayDeque<>());
      int all = waiting.values().stream().mapToInt(Deque::size).sum();
      boolean isFull = own.size() >= WAITING_OF_ONE || all >= WAITING;
      if (isFull && !caller.equals(SERVER)) {
        throw new HttpProblem(503, "too many plans are being computed; try again in a while");
      }
      own.add(task);
      waiting.putIfAbsent(caller, own);
      serveNext();
    }
    return task;
  }

  /** Starts waiting tasks while threads are free. The caller holds the lock. */
  private void serveNext() {
    while (served.size() < atOnce && !closed) {
      Optional<String> next =
          waiting.keySet().stream().filter(caller -> !served.contains(caller)).findFirst();
      if (next.isEmpty()) {
        return;
      }
      String caller = next.get();
      Deque<FutureTask<?>> own = Objects.requireNonNull(waiting.remove(caller));
      FutureTask<?> task = own.remove();
      if (!own.isEmpty()) {
        waiting.put(caller, own);
      }
      served.add(caller);
      threads.execute(() -> serve(caller, task));
    }
  }

  private void serve(String caller, FutureTask<?> task) {
    try {
      task.run();
    } finally {
      synchronized (lock) {
        served.remove(caller);
        serveNext();
      }
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
      throw new HttpProblem(503, STOPPING);
    } catch (CancellationException e) {
      throw new HttpProblem(503, STOPPING);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw unchecked(e);
    }
  }

  /** Returns the exception of a task as an unchecked one. */
  static RuntimeException unchecked(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException runtime ? runtime : new IllegalStateException(cause);
  }

  /** Waits for a submission that is being stored, since the store closes after this. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      waiting.values().forEach(tasks -> tasks.forEach(task -> task.cancel(false)));
    }
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
