package io.mutune.trainer.spark;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;

/** Ends a job that no executor is there for, which Spark alone would let wait for ever. */
final class ExecutorWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 1000;

  private final JavaSparkContext context;
  private final Duration patience;
  private final Timer clock = new Timer("executor-watch", true);
  private final AtomicInteger jobs = new AtomicInteger();
  private volatile boolean ended;
  private long lastSeen = System.nanoTime();

  /**
   * @param patience how long a job may be without any executor
   */
  ExecutorWatch(JavaSparkContext context, Duration patience) {
    this.context = context;
    this.patience = patience;
    clock.schedule(
        new TimerTask() {
          @Override
          public void run() {
            look();
          }
        },
        LOOK_MILLIS,
        LOOK_MILLIS);
  }

  /** There is one more job. */
  void begin() {
    jobs.incrementAndGet();
  }

  /** There is one job less. */
  void end() {
    jobs.decrementAndGet();
  }

  /** Why a job was ended here; empty if none was. */
  String why() {
    return ended ? "it has had no executor for %d seconds".formatted(patience.toSeconds()) : "";
  }

  private void look() {
    if (context.sc().isStopped() || context.sc().isLocal()) {
      return;
    }
    // The driver counts as one.
    if (jobs.get() == 0 || context.sc().statusTracker().getExecutorInfos().length > 1) {
      lastSeen = System.nanoTime();
    } else if (System.nanoTime() - lastSeen > patience.toNanos()) {
      ended = true;
      context.sc().cancelAllJobs();
    }
  }

  @Override
  public void close() {
    clock.cancel();
  }
}
