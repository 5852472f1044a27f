package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Standard output of a command, which Java's own stream would fail to write without a word. */
final class StandardOutput extends OutputStream {
  private static final Path FILE = Path.of("/dev/stdout");

  /** The bits of a file's mode that hold its type, by POSIX, and two types. */
  private static final int TYPE = 0170000;

  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private final OutputStream to;
  private final BooleanSupplier hasReader;
  private @Nullable IOException failed;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out), StandardOutput::isPipe);
  }

  /**
   * @param hasReader whether it goes to a program, which may have seen enough, as {@code head} has
   */
  StandardOutput(OutputStream to, BooleanSupplier hasReader) {
    this.to = to;
    this.hasReader = hasReader;
  }

  /** What the system says of a failure is in the user's language. */
  private static boolean isPipe() {
    try {
      int type = (Integer) Files.getAttribute(FILE, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // where the system has no such files
    }
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      to.write(bytes, offset, length);
    } catch (IOException e) {
      failed = e;
      throw e;
    }
  }

  /** The status to end with: a command whose answer is lost is not done. */
  int judged(int status, PrintWriter errors) {
    if (failed == null || hasReader.getAsBoolean()) {
      return status;
    }
    errors.println("mutune: standard output cannot be written: " + failed.getMessage());
    return status == ExitCode.DONE ? ExitCode.STORAGE : status;
  }
}
