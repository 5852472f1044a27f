package io.mutune.trainer.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import org.apache.commons.io.function.IOConsumer;

/**
 * A file that is there whole or not at all: it is written beside its place, under another name, and
 * moved there in the end. What is no plain file, such as a pipe, is written to as it is.
 */
public final class WholeFile {
  /** Of one path, as many as Linux follows. */
  private static final int MOST_LINKS = 40;

  /** By what names the system has what a process prints to. */
  private static final Set<String> OUTPUTS = Set.of("stdout", "stderr", "1", "2");

  private WholeFile() {}

  /**
   * Makes a file in place of one that may be there, at the end of links. Several processes may do
   * so at once.
   *
   * @param maker makes it at a place where there is none
   * @throws IOException if it cannot be written; nothing of it is left then
   */
  public static void make(Path file, IOConsumer<Path> maker) throws IOException {
    Path end = end(file);
    if (isReplaced(end)) {
      String name = "." + end.getFileName() + "." + ProcessHandle.current().pid() + ".part";
      make(end.resolveSibling(name), end, maker);
    } else if (Files.isRegularFile(end) && !OUTPUTS.contains(String.valueOf(end.getFileName()))) {
      throw new FileSystemException(file.toString(), null, "is a file that is open here already");
    } else {
      maker.accept(end);
    }
  }

  /**
   * Where links lead to. Those of the system, as {@code /dev/stdout}, lead to what is open already
   * and are an end of their own.
   *
   * @throws IOException if they lead in a circle
   */
  public static Path end(Path file) throws IOException {
    Path at = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(at) && !isOfSystem(at); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    return at;
  }

  private static boolean isOfSystem(Path path) {
    return path.startsWith("/proc")
        || path.startsWith("/dev/fd")
        || (path.startsWith("/dev") && OUTPUTS.contains(String.valueOf(path.getFileName())));
  }

  /** Whether a file at the end of links is made anew, rather than written to. */
  public static boolean isReplaced(Path end) {
    return !Files.isSymbolicLink(end) && (!Files.exists(end) || Files.isRegularFile(end));
  }

  /**
   * Makes a file under this name first.
   *
   * @param part that no other process writes to
   */
  static void make(Path part, Path file, IOConsumer<Path> maker) throws IOException {
    // Of a process that was killed.
    Files.deleteIfExists(part);
    try {
      maker.accept(part);
      move(part, file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  static void move(Path part, Path file) throws IOException {
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
