package io.mutune.trainer.format;

import io.mutune.trainer.network.EncoderFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** A network asked about one input. It fails at an input, or for want of memory or of a device. */
@FunctionalInterface
interface NetworkCall {
  /**
   * Held by all calls of this process, and alone by one that is made again: they share the memory
   * of one machine, whichever study they are for.
   */
  ReadWriteLock MACHINE = new ReentrantReadWriteLock();

  void run() throws IOException;

  /**
   * Whether a network takes an input. What other inputs need at the same time does not decide: one
   * that it fails at is asked again alone.
   *
   * @param known the same network asked about a public input
   * @throws UncheckedIOException of an {@link EncoderFailedException} if it fails at that too
   */
  static boolean takes(NetworkCall asked, NetworkCall known) {
    if (asked.failure(MACHINE.readLock()) == null || asked.failure(MACHINE.writeLock()) == null) {
      return true;
    }
    Throwable failure = known.failure(MACHINE.writeLock());
    if (failure != null) {
      throw new UncheckedIOException(
          new EncoderFailedException(
              "an encoder no longer works on this machine: " + failure.getMessage()));
    }
    return false;
  }

  private @Nullable Throwable failure(Lock lock) {
    lock.lock();
    try {
      run();
      return null;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return e; // whatever a network fails at is the input's: nothing of it may end a study
    } finally {
      lock.unlock();
    }
  }
}
