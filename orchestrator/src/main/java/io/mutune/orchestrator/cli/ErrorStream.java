package io.mutune.orchestrator.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * Standard error of a command on a terminal. Java itself warns there of the module that the kernel
 * needs, before any class of ours is loaded: the launcher keeps that from the terminal, and names
 * the terminal in a property.
 */
final class ErrorStream {
  private static final String PROPERTY = "mutune.errors";

  private ErrorStream() {}

  /** Sends errors where the launcher says, if it says so. */
  static void open() {
    String place = System.getProperty(PROPERTY, "");
    if (!place.isEmpty()) {
      try {
        FileOutputStream out = new FileOutputStream(place, true);
        System.setErr(new PrintStream(out, true, Charset.defaultCharset()));
      } catch (IOException e) {
        System.out.println("mutune: " + place + " cannot be written: " + e.getMessage());
      }
    }
  }
}
