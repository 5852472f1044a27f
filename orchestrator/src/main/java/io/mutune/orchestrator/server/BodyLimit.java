package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the bodies of requests, a few of each caller at a time: a thread waits for each, which may
 * come slowly, and the others must be left threads.
 */
final class BodyLimit {
  private static final int OF_ONE = 8;
  private static final int IN_ALL = 24;

  /** Longer than it takes to read one that has come, and far shorter than one may take to come. */
  private static final long PATIENCE_MILLIS = 200;

  private final Map<String, Semaphore> ofEach = new ConcurrentHashMap<>();
  private final Semaphore all = new Semaphore(IN_ALL);

  /** Reads it, for whoever handles the request. */
  void read(Context ctx) {
    if (ctx.method().equals(HandlerType.POST)) {
      Semaphore own =
          ofEach.computeIfAbsent(
              Authentication.callerOf(ctx).name(), name -> new Semaphore(OF_ONE));
      within(own, () -> within(all, () -> whole(ctx)));
    }
  }

  /**
   * The library declares no exceptions: one of input or output is the caller's, not the server's.
   */
  private static void whole(Context ctx) {
    try {
      ctx.bodyAsBytes();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new HttpProblem(400, "the body did not come whole, or not in time");
    }
  }

  private static void within(Semaphore places, Runnable read) {
    try {
      if (!places.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new HttpProblem(503, "too many requests are being sent; try again in a while");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpProblem(503, "the server is stopping");
    }
    try {
      read.run();
    } finally {
      places.release();
    }
  }
}
