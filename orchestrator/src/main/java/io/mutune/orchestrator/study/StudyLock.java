package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lets one process at a time run a study. The operating system drops the lock when its holder dies,
 * so a killed process leaves nothing to clean up. The file stays: deleting it would let two
 * processes lock two files of one name.
 */
public final class StudyLock implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  private StudyLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes the place of the locks, so that a folder where nothing can be written is told before a
   * study holds a budget.
   */
  public static void prepare(Path output) {
    try {
      Files.createDirectories(path(output).getParent());
    } catch (IOException e) {
      throw new StoreException(
          output.getParent() + ": no results can be left there: nothing can be written", e);
    }
  }

  /** Takes the lock of the study that leaves its results in this folder. */
  public static StudyLock take(Path output) {
    prepare(output);
    Path path = path(output);
    try {
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new StoreException(
            output.getFileName() + " is being run by another process; wait for it or end it");
      }
      return new StudyLock(path, channel);
    } catch (IOException e) {
      throw new StoreException(path + ": the study's lock cannot be taken", e);
    }
  }

  /** Whether another process runs that study now. */
  public static boolean isHeld(Path output) {
    if (!Files.exists(path(output))) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(path(output), StandardOpenOption.WRITE)) {
      return tryLock(channel) == null;
    } catch (IOException e) {
      throw new StoreException(path(output) + ": the study's lock cannot be looked at", e);
    }
  }

  private static Path path(Path output) {
    return output.resolveSibling(".locks").resolve(String.valueOf(output.getFileName()));
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException(path + ": the study's lock cannot be released", e);
    }
  }
}
