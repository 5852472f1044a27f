package io.mutune.orchestrator.cli.command;

import io.mutune.trainer.file.ScratchFolder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ctrl-C and SIGTERM: asks a study to stop, waits until it has said how it ended, and ends with
 * that status. A study that takes too long to stop loses its step and nothing else: the store is
 * always whole.
 */
public final class Interruption {
  private static final long MOST_SECONDS = 60;

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean heeded;
  private volatile boolean requested;
  private volatile int status = ExitCode.INTERRUPTED;

  /** For this process's signals. */
  public static Interruption ofSignals() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::shutDown, "interruption"));
    return interruption;
  }

  /** From here on a request is looked at by whoever runs a study, and is worth waiting for. */
  public void heed() {
    heeded = true;
  }

  /** Whether a signal waits for the command's end. */
  public boolean isHeeded() {
    return heeded;
  }

  public void request() {
    requested = true;
  }

  public boolean requested() {
    return requested;
  }

  /** Returns when it was requested, or something else has come true. */
  public void await(long millisBetweenLooks, BooleanSupplier other) {
    try {
      while (!requested && !other.getAsBoolean()) {
        Thread.sleep(millisBetweenLooks);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is said and done, and this is the status to end with. */
  public void end(int status) {
    this.status = status;
    ended.countDown();
  }

  /** Runs at every end of the process; only a signal comes before the command has ended. */
  private void shutDown() {
    if (!heeded || ended.getCount() == 0) {
      return;
    }
    request();
    try {
      if (!ended.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(
            "mutune: ended within a step, which stays charged; resume the study (random stopping"
                + " that had not ended is lost)");
        // Trainers go, with the rows that they were handed.
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        ScratchFolder.deleteOwn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.flush();
    Runtime.getRuntime().halt(status);
  }
}
