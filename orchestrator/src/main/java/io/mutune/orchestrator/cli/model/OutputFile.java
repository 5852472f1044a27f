package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.trainer.file.WholeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that a command leaves: whole or not at all, in the place of one that is there. What is no
 * plain file, such as a pipe, is written to as it is.
 */
final class OutputFile {
  /** Writes its content. */
  @FunctionalInterface
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  private OutputFile() {}

  static void write(Path path, Content content) throws IOException {
    make(
        path,
        target -> {
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            content.write(out);
          }
        });
  }

  static void make(Path path, WholeFile.Maker maker) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new UsageException("--output " + path + ": is a folder, not a file");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UsageException("--output " + path + ": there is no folder " + folder);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      maker.make(path);
      return;
    }
    if (!Files.isWritable(folder)) {
      throw new UsageException("--output " + path + ": the folder may not be written to");
    }
    WholeFile.make(path, maker);
  }
}
