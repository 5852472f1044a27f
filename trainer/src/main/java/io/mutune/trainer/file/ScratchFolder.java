package io.mutune.trainer.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * A folder of files in the clear that another process reads while this one is there: for its owner
 * alone, below {@link ScratchFile#usualFolder()}, and deleted when it is closed. What a killed
 * process has left is deleted when the next folder is made, which the lock of each tells.
 */
public final class ScratchFolder implements Closeable {
  private static final String WORK = "trainers";
  private static final String LOGS = "trainer-logs";
  private static final String LOCK = "lock";

  /**
   * What the names of this process's folders begin with. It never opens their locks to look: to
   * close such a file would give up the lock itself (POSIX).
   */
  private static final String OWN =
      ProcessHandle.current().pid()
          + "-"
          + ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L)
          + "-";

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
    Path above = folders();
    deleteAbandoned(above);
    // A folder is there under its name once it is locked, so that nobody takes it for abandoned.
    Path unfinished = above.resolve("." + UUID.randomUUID());
    OwnerOnly.makeFolder(unfinished, "private rows");
    FileChannel channel = OwnerOnly.open(unfinished.resolve(LOCK));
    channel.lock();
    Path path = above.resolve(OWN + UUID.randomUUID());
    Files.move(unfinished, path);
    return new ScratchFolder(path, channel);
  }

  /** A new empty file for its owner alone that stays: what a process says on standard error. */
  public static Path log() throws IOException {
    Path file = logs().resolve(UUID.randomUUID() + ".log");
    OwnerOnly.create(file).close();
    return file;
  }

  /**
   * Makes sure of what all of them lie in, before a charge is spent on what they would hold.
   *
   * @throws IOException if it cannot be made, or others may look into it
   */
  public static void requirePrivate() throws IOException {
    folders();
    logs();
  }

  private static Path folders() throws IOException {
    return made(WORK, "private rows");
  }

  private static Path logs() throws IOException {
    return made(LOGS, "what trainers say of private rows");
  }

  private static Path made(String name, String what) throws IOException {
    Path made = ScratchFile.usualFolder().resolve(name);
    OwnerOnly.makeFolder(made, what);
    return made;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  private static void deleteAbandoned(Path above) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(above, "[!.]*")) {
      for (Path folder : folders) {
        if (!String.valueOf(folder.getFileName()).startsWith(OWN) && isAbandoned(folder)) {
          deleteTree(folder);
        }
      }
    }
  }

  /** Deletes those of this process, which is about to end with whatever uses them. */
  public static void deleteOwn() {
    Path above = ScratchFile.usualFolder().resolve(WORK);
    try (DirectoryStream<Path> own = Files.newDirectoryStream(above, OWN + "*")) {
      own.forEach(ScratchFolder::deleteTree);
    } catch (IOException | DirectoryIteratorException e) {
      // There is none, or it is left to the next one.
    }
  }

  private static boolean isAbandoned(Path folder) throws IOException {
    try (FileChannel channel = OwnerOnly.open(folder.resolve(LOCK));
        FileLock held = channel.tryLock()) {
      return held != null;
    } catch (IOException e) {
      return false; // deleted meanwhile
    }
  }

  /**
   * Another process may still write in it: what cannot be deleted now is left to the next one. A
   * folder that its process has closed to its owner is opened again.
   */
  private static void deleteTree(Path path) {
    try {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        OwnerOnly.allow(path);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
          entries.forEach(ScratchFolder::deleteTree);
        }
      }
      Files.deleteIfExists(path);
    } catch (IOException | DirectoryIteratorException e) {
      // Left to the next one.
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
    deleteTree(path);
  }
}
