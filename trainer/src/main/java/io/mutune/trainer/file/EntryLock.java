package io.mutune.trainer.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread of one process at a time read or write an entry of a cache; others wait. The
 * operating system drops the lock when its holder dies, and knows the file by whatever path. The
 * file stays: deleting it would let two processes lock two files of one name.
 */
public final class EntryLock implements AutoCloseable {
  private static final long WAIT_MILLISECONDS = 50;

  private final FileChannel file;

  private EntryLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Waits for as long as another has it.
   *
   * @param path made for its owner alone if it is not there
   * @throws IOException if the file system has no locks, or the file cannot be made
   */
  public static EntryLock take(Path path) throws IOException {
    FileChannel file = OwnerOnly.open(path);
    boolean interrupted = false;
    try {
      while (tryLock(file) == null) {
        interrupted |= waits();
      }
      return new EntryLock(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Null while another has it, be it a thread of this process. */
  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /**
   * An interrupted thread waits all the same: if it closed the file, the lock that another thread
   * of this process has would be gone too (POSIX).
   *
   * @return whether it was interrupted
   */
  private static boolean waits() {
    try {
      TimeUnit.MILLISECONDS.sleep(WAIT_MILLISECONDS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // What was read or written under it is whole: nobody is to lose it for this.
    }
  }
}
