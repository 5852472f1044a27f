package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Standard output of a command, which Java's own stream would fail to write without a word. */
final class StandardOutput extends OutputStream {
  /** Of a reader that has seen enough, such as {@code head}. */
  private static final String CLOSED = "Broken pipe";

  private final OutputStream to;
  private @Nullable IOException failed;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream to) {
    this.to = to;
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
    if (failed == null || CLOSED.equals(failed.getMessage())) {
      return status;
    }
    errors.println("mutune: standard output cannot be written: " + failed.getMessage());
    return status == ExitCode.DONE ? ExitCode.STORAGE : status;
  }
}
