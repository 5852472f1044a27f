package io.mutune.trainer.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * A file of figures that are as private as the rows they follow from: for its owner alone, and
 * there whole or not at all.
 */
public final class PrivateFile {
  private PrivateFile() {}

  /**
   * Writes the lines, in place of a file that is there.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, Stream<String> lines) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.deleteIfExists(unfinished);
    try (var out = OwnerOnly.create(unfinished)) {
      lines.forEach(
          line -> {
            try {
              out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
