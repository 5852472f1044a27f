package io.mutune.trainer.spark;

import java.util.concurrent.ExecutionException;

/** What to tell people of Spark's exceptions, which have whole stack traces in their messages. */
final class Failures {
  private static final int MOST_CHARACTERS = 300;

  private Failures() {}

  /** One line, with what began it where that says something else. */
  static String withRoot(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      root = cause;
    }
    String line = line(failure);
    String first = line(root);
    return line.contains(first) ? line : "%s (%s)".formatted(line, first);
  }

  /** One line: that of the last cause within the message, if it names one. */
  static String line(Throwable failure) {
    Throwable cause = failure.getCause();
    if (failure instanceof ExecutionException && cause != null) {
      return line(cause);
    }
    String message = String.valueOf(failure.getMessage());
    // What Java makes of a lambda whose class it does not find.
    if (message.contains("ClassCastException")
        && message.contains("java.lang.invoke.SerializedLambda")) {
      return "an executor does not have Mutune's classes";
    }
    String mark = "IllegalStateException: ";
    int own = message.indexOf(mark);
    String line =
        (own < 0 ? message : message.substring(own + mark.length())).lines().findFirst().orElse("");
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + " ..." : line;
  }
}
