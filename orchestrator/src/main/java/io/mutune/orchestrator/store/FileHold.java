package io.mutune.orchestrator.store;

import io.mutune.trainer.file.LockFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Holds a lock of this machine's, in a folder beside the store's file. */
final class FileHold implements StudyHold {
  /** Whoever only looks has it for a moment. */
  private static final int TRIES = 5;

  private static final long MILLISECONDS_BETWEEN = 20;

  private final LockFile lock;

  private FileHold(LockFile lock) {
    this.lock = lock;
  }

  /**
   * Takes the lock.
   *
   * @param store whose real path tells it from others
   * @throws StoreException if another process has it
   */
  static FileHold take(Path store, String study) {
    try {
      Path path = path(store, study);
      Path folder = path.resolveSibling("");
      if (!Files.exists(folder)) {
        Files.createDirectories(folder);
        giveToUsersOf(store, folder);
      }
      create(path, store);
      Optional<LockFile> taken = LockFile.tryTake(path);
      for (int i = 1; i < TRIES && taken.isEmpty(); i++) {
        TimeUnit.MILLISECONDS.sleep(MILLISECONDS_BETWEEN);
        taken = LockFile.tryTake(path);
      }
      return new FileHold(
          taken.orElseThrow(
              () ->
                  new StoreException(
                      "study "
                          + study
                          + " is being run by another process; wait for it or end it")));
    } catch (IOException e) {
      throw unusable(store, study, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(store + ": interrupted before study " + study + " began", e);
    }
  }

  /** Makes the lock's file if it is not there, before anybody holds it. */
  private static void create(Path path, Path store) throws IOException {
    if (!Files.exists(path)) {
      try {
        Files.createFile(path);
        giveToUsersOf(store, path);
      } catch (FileAlreadyExistsException e) {
        if (Files.isSymbolicLink(path)) {
          throw e; // to nothing, which would be made
        }
        // Another process was faster.
      }
    }
  }

  /**
   * Whoever may write to the store may use its locks, whoever made them, as SQLite has it of its
   * own files. Nobody else may read them: whoever reads a file can lock it against its writers.
   *
   * @param made that nobody holds yet: it is opened, and closing a file frees the locks that this
   *     process has of it (POSIX)
   */
  private static void giveToUsersOf(Path store, Path made) {
    try {
      PosixFileAttributes like = Files.readAttributes(store, PosixFileAttributes.class);
      boolean isFolder = Files.isDirectory(made);
      String permissions =
          PosixFilePermissions.toString(like.permissions())
              .replaceAll("r-.", "---")
              .replaceAll("rw.", isFolder ? "rwx" : "rw-");
      var itself =
          Files.getFileAttributeView(made, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      itself.setPermissions(PosixFilePermissions.fromString(permissions));
      itself.setGroup(like.group());
      itself.setOwner(like.owner());
    } catch (IOException | UnsupportedOperationException e) {
      // Made by who may not give it away, or where nobody does.
    }
  }

  /** Returns whether a process has the lock. */
  static boolean isHeld(Path store, String study) {
    try {
      Path path = path(store, study);
      boolean isHeld = LockFile.isHeld(path);
      for (int i = 1; i < TRIES && isHeld; i++) {
        isHeld = LockFile.isHeld(path);
      }
      return isHeld;
    } catch (IOException e) {
      throw unusable(store, study, e);
    }
  }

  private static StoreException unusable(Path store, String study, IOException e) {
    return new StoreException(
        "%s: the lock '%s' cannot be opened (%s): is it another user's, as after sudo?"
            .formatted(store, study, e.getMessage()),
        e);
  }

  /** Behind links, by whatever name the store was opened. */
  private static Path path(Path store, String study) throws IOException {
    Path real = store.toRealPath();
    return real.resolveSibling(".locks").resolve(real.getFileName() + "-" + study);
  }

  @Override
  public void close() {
    lock.close();
  }
}
