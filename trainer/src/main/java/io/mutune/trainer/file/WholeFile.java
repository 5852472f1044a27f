package io.mutune.trainer.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is there whole or not at all: it is written beside its place, under another name, and
 * moved there in the end.
 */
public final class WholeFile {
  /** Makes the file at a place where there is none. */
  @FunctionalInterface
  public interface Maker {
    void make(Path target) throws IOException;
  }

  private WholeFile() {}

  /**
   * Makes a file in place of one that may be there. Several processes may do so at once.
   *
   * @throws IOException if it cannot be written; nothing of it is left then
   */
  public static void make(Path file, Maker maker) throws IOException {
    String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    make(file.resolveSibling(name), file, maker);
  }

  /**
   * Makes a file under this name first.
   *
   * @param part that no other process writes to
   */
  static void make(Path part, Path file, Maker maker) throws IOException {
    // Of a process that was killed.
    Files.deleteIfExists(part);
    try {
      maker.make(part);
      move(part, file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  static void move(Path part, Path file) throws IOException {
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
