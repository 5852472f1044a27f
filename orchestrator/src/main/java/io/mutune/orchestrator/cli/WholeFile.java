package io.mutune.orchestrator.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that a command leaves: whole or not at all, in the place of one that is there. What is no
 * plain file, such as a pipe, is written to as it is.
 */
final class WholeFile {
  /** Writes its content. */
  @FunctionalInterface
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  static void write(Path path, Content content) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new UsageException("--output " + path + ": is a folder, not a file");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UsageException("--output " + path + ": there is no folder " + folder);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
        content.write(out);
      }
      return;
    }
    if (!Files.isWritable(folder)) {
      throw new UsageException("--output " + path + ": the folder may not be written to");
    }
    String name = "." + path.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    Path part = folder.resolve(name);
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        content.write(out);
      }
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
