package io.mutune.trainer.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file that one thread of one process holds at a time. The operating system drops the lock when
 * its holder dies, so a killed process leaves nothing to clean up. The file stays: deleting it
 * would let two processes lock two files of one name.
 */
public final class LockFile implements AutoCloseable {
  private static final long WAIT_MILLISECONDS = 50;

  /**
   * Those that this process holds, or looks at. A second channel of one is never opened: closing it
   * would free the lock (POSIX).
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel file;

  private LockFile(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Waits for as long as another has it. An interrupted thread waits all the same, and stays
   * interrupted.
   *
   * @param path made for its owner alone if it is not there; its folder is
   * @throws IOException if the file system has no locks, or the file cannot be made
   */
  public static LockFile take(Path path) throws IOException {
    boolean interrupted = false;
    try {
      Optional<LockFile> taken = tryTake(path);
      while (taken.isEmpty()) {
        interrupted |= waits();
        taken = tryTake(path);
      }
      return taken.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same if nobody has it; else nothing, at once. */
  public static Optional<LockFile> tryTake(Path path) throws IOException {
    return tryTake(path, false);
  }

  /**
   * @param shared whether others may have it too who take it so; the file is there then
   */
  private static Optional<LockFile> tryTake(Path path, boolean shared) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path real =
        Files.exists(absolute)
            ? absolute.toRealPath()
            : Objects.requireNonNull(absolute.getParent())
                .toRealPath()
                .resolve(Objects.requireNonNull(absolute.getFileName()));
    if (!HERE.add(real)) {
      return Optional.empty();
    }
    FileChannel file = null;
    boolean taken = false;
    try {
      file = shared ? FileChannel.open(real, StandardOpenOption.READ) : OwnerOnly.open(real);
      taken = file.tryLock(0, Long.MAX_VALUE, shared) != null;
      return taken ? Optional.of(new LockFile(real, file)) : Optional.empty();
    } finally {
      if (!taken) {
        close(real, file);
      }
    }
  }

  /**
   * Whether somebody has the lock of a file now, be it this process. Others who ask at the same
   * time are not taken for one who has it.
   */
  public static boolean isHeld(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    Optional<LockFile> taken = tryTake(path, true);
    taken.ifPresent(LockFile::close);
    return taken.isEmpty();
  }

  /** Returns whether the thread was interrupted. */
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
    close(path, file);
  }

  private static void close(Path path, @Nullable FileChannel file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // What was done under the lock is done: nobody is to lose it for this.
    } finally {
      HERE.remove(path);
    }
  }
}
