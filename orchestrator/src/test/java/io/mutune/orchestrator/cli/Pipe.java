package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A named pipe in a file's place: whoever opens it waits until the test opens it too. */
final class Pipe {
  private Pipe() {}

  /** What a test looks at once the other end is open. */
  @FunctionalInterface
  interface Look {
    void look() throws Exception;
  }

  static void replace(Path file) throws IOException, InterruptedException {
    Files.deleteIfExists(file);
    int status = new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
    assumeThat(status).as("mkfifo works here").isZero();
  }

  /** Waits until it is opened for reading, and looks before the reader gets a byte. */
  static void open(Path pipe, Look look) throws Exception {
    try (OutputStream out = Files.newOutputStream(pipe)) {
      look.look();
      out.write('\n');
    }
  }
}
