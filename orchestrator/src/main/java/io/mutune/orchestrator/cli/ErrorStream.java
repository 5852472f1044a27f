package io.mutune.orchestrator.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/**
 * Standard error of a command. Java itself warns there of the module that the kernel needs, before
 * any class of ours is loaded: the launcher keeps that from whoever reads it, and names in a
 * property the number under which standard error is open as well.
 */
final class ErrorStream {
  private static final String PROPERTY = "mutune.errors";

  private ErrorStream() {}

  /** Sends errors where the launcher says, if it says so. */
  static void open() {
    Integer number = Integer.getInteger(PROPERTY);
    if (number == null) {
      return;
    }
    try {
      System.setErr(
          new PrintStream(new FileOutputStream(opened(number)), true, StandardCharsets.UTF_8));
    } catch (ReflectiveOperationException | RuntimeException e) {
      System.out.println("mutune: standard error cannot be written: " + e.getMessage());
    }
  }

  /**
   * The very file that is open there: one that is opened anew by its name would have a place of its
   * own in a log, and what is written to standard output there would lie over it. Java has no
   * public way; the launcher opens the package for this.
   */
  private static FileDescriptor opened(int number) throws ReflectiveOperationException {
    Constructor<FileDescriptor> constructor =
        FileDescriptor.class.getDeclaredConstructor(int.class);
    constructor.setAccessible(true);
    return constructor.newInstance(number);
  }
}
