package io.mutune.trainer.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOConsumer;

/**
 * A file of figures that are as private as the rows they follow from: a {@link WholeFile} for its
 * owner alone. No two processes may write one at once.
 */
public final class PrivateFile {
  private PrivateFile() {}

  /**
   * Writes the lines, in place of a file that is there.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, Stream<String> lines) throws IOException {
    write(
        file,
        out -> {
          for (String line : (Iterable<String>) lines::iterator) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
          }
        });
  }

  /** The same of any content. */
  public static void write(Path file, IOConsumer<OutputStream> content) throws IOException {
    WholeFile.make(
        unfinished(file),
        file,
        target -> {
          try (OutputStream out = new BufferedOutputStream(OwnerOnly.create(target), 1 << 16)) {
            content.accept(out);
          }
        });
  }

  /** Under which name it is written. */
  public static Path unfinished(Path file) {
    return file.resolveSibling(file.getFileName() + ".unfinished");
  }

  /** Gives what was written its name. */
  public static void finish(Path file) throws IOException {
    WholeFile.move(unfinished(file), file);
  }

  /** Removes the file and what a process that was killed has left of it. */
  public static void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(unfinished(file));
  }
}
