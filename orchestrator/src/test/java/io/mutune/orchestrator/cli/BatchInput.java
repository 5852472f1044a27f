package io.mutune.orchestrator.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Queries through {@code mutune cost batch}, by a file that is gone afterwards. */
final class BatchInput {
  private BatchInput() {}

  static CommandRun of(String queries) {
    try {
      Path file = Files.createTempFile("queries", ".json");
      try {
        Files.writeString(file, queries);
        return CommandRun.of("cost", "batch", file.toString());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
