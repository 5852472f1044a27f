package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.WholeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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

  /**
   * Refuses to write over what a command reads.
   *
   * @param model a study's folder, all of whose documents are kept, or a file in it
   * @param files others
   */
  static void requireOther(Path path, Path model, Path... files) throws IOException {
    Path whole = path.toAbsolutePath().normalize();
    Path folder = Files.isDirectory(model) ? model : model.toAbsolutePath().getParent();
    boolean isRead =
        isSame(path, model)
            || (ModelCard.isDocument(whole.getFileName().toString())
                && isSame(whole.getParent(), folder));
    for (Path file : files) {
      isRead |= isSame(path, file);
    }
    if (isRead) {
      throw new UsageException("--output " + path + ": is read here; name another file");
    }
  }

  private static boolean isSame(@Nullable Path one, @Nullable Path other) throws IOException {
    return one != null
        && other != null
        && Files.exists(one)
        && Files.exists(other)
        && Files.isSameFile(one, other);
  }

  static void write(Path path, Content content) throws IOException {
    make(
        path,
        target -> {
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            content.write(out);
          }
        });
  }

  /** The same of what is as private as the rows: a new file is for its owner alone. */
  static void writePrivate(Path path, Content content) throws IOException {
    make(
        path,
        target -> {
          createPrivate(target);
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            content.write(out);
          }
        });
  }

  /** Makes a file for its owner alone where there is none, and leaves a pipe as it is. */
  static void createPrivate(Path target) throws IOException {
    if (!Files.exists(target)) {
      OwnerOnly.create(target).close();
    }
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
