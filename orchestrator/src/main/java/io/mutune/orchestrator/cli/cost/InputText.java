package io.mutune.orchestrator.cli.cost;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a file that the user named, or of standard input. */
final class InputText {
  private InputText() {}

  /** {@code -} is standard input. */
  static String read(String file) throws IOException {
    return file.equals("-")
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : Files.readString(Path.of(file));
  }
}
