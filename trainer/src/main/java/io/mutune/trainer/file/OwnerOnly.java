package io.mutune.trainer.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders that nobody but their owner may read. Where the file system knows no such
 * permissions, as on Windows, the folder's own access rules hold.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /**
   * Makes the folder, or makes sure of the one that is there.
   *
   * @param what it holds, for the message
   * @throws IOException if it is there and others may look into it
   */
  public static void makeFolder(Path folder, String what) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath(), attributes(folder, FOLDER));
    }
    if (hasPermissions(folder) && !FOLDER.containsAll(Files.getPosixFilePermissions(folder))) {
      throw new IOException(
          folder + ": holds " + what + ", so it must be for its owner alone (chmod 700)");
    }
  }

  /** Lets the owner, and nobody else, into a folder of theirs that is there. */
  public static void allow(Path folder) throws IOException {
    if (hasPermissions(folder)) {
      Files.setPosixFilePermissions(folder, FOLDER);
    }
  }

  /** Lets nobody else read or write a file of the owner's that is there. */
  public static void keep(Path file) throws IOException {
    if (hasPermissions(file)) {
      Files.setPosixFilePermissions(file, FILE);
    }
  }

  /**
   * Makes sure of a file that is there.
   *
   * @param what it is, for the message
   * @throws IOException if others may read it
   */
  public static void requireFile(Path file, String what) throws IOException {
    if (hasPermissions(file) && !FILE.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(
          file + ": is " + what + ", so it must be for its owner alone (chmod 600)");
    }
  }

  /** Opens a new file for writing. */
  public static OutputStream create(Path file) throws IOException {
    return Channels.newOutputStream(
        open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** Opens a new file for writing and reading from any place. */
  public static FileChannel createScratch(Path file) throws IOException {
    return open(
        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Opens a file for writing, which is made if it is not there. */
  static FileChannel open(Path file) throws IOException {
    return open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), attributes(file, FILE));
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> allowed) {
    return hasPermissions(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(allowed)}
        : new FileAttribute<?>[] {};
  }

  private static boolean hasPermissions(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
