package io.mutune.orchestrator.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: asks the study to stop, waits until it has, and ends with the status for
 * interrupted. A second signal, or a step that takes too long, is no loss: the store is always
 * whole.
 */
final class Interruption implements AutoCloseable {
  private static final long MOST_SECONDS = 60;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean requested;

  private Interruption() {}

  static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::shutDown, "interruption"));
    return interruption;
  }

  boolean requested() {
    return requested;
  }

  /** Runs at every end of the process; only a signal comes before the study has stopped. */
  private void shutDown() {
    if (stopped.getCount() == 0) {
      return;
    }
    requested = true;
    try {
      stopped.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
  }

  @Override
  public void close() {
    stopped.countDown();
  }
}
