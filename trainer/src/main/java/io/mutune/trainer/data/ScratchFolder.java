package io.mutune.trainer.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A folder of files in the clear that another process reads while this one is there: for its owner
 * alone, below {@link ScratchFile#usualFolder()}, and deleted when it is closed. What a killed
 * process has left is deleted when the next folder is made, which the lock of each tells.
 */
public final class ScratchFolder implements Closeable {
  private static final String WORK = "trainers";
  private static final String LOGS = "trainer-logs";
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lock;

  private ScratchFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * A new one, empty.
   *
   * @throws IOException if it cannot be made, or others may look into the folder above
   */
  public static ScratchFolder create() throws IOException {
    Path above = ScratchFile.usualFolder().resolve(WORK);
    OwnerOnly.makeFolder(above);
    deleteAbandoned(above);
    // A folder is there under its name once it is locked, so that nobody takes it for abandoned.
    Path unfinished = above.resolve("." + UUID.randomUUID());
    OwnerOnly.makeFolder(unfinished);
    FileChannel channel = OwnerOnly.open(unfinished.resolve(LOCK));
    channel.lock();
    Path path = above.resolve(UUID.randomUUID().toString());
    Files.move(unfinished, path);
    return new ScratchFolder(path, channel);
  }

  /** A new empty file for its owner alone that stays: what a process says on standard error. */
  public static Path log() throws IOException {
    Path folder = ScratchFile.usualFolder().resolve(LOGS);
    OwnerOnly.makeFolder(folder);
    Path file = folder.resolve(UUID.randomUUID() + ".log");
    OwnerOnly.create(file).close();
    return file;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  private static void deleteAbandoned(Path above) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(above, "[!.]*")) {
      for (Path folder : folders) {
        if (isAbandoned(folder)) {
          deleteTree(folder);
        }
      }
    }
  }

  private static boolean isAbandoned(Path folder) throws IOException {
    try (FileChannel channel = OwnerOnly.open(folder.resolve(LOCK));
        FileLock held = channel.tryLock()) {
      return held != null;
    } catch (OverlappingFileLockException e) {
      return false; // of this process
    } catch (IOException e) {
      return false; // deleted meanwhile
    }
  }

  /** Another process may still write in it: what cannot be deleted now is left to the next one. */
  private static void deleteTree(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // Left to the next one.
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
    deleteTree(path);
  }
}
