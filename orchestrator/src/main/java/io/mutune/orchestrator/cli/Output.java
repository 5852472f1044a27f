package io.mutune.orchestrator.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command prints its answer: the writer that its command line was given. */
final class Output {
  private Output() {}

  static PrintWriter of(@Nullable CommandSpec spec) {
    return injected(spec).commandLine().getOut();
  }

  static PrintWriter errors(@Nullable CommandSpec spec) {
    return injected(spec).commandLine().getErr();
  }

  /** A line about what the command does, on standard error at once; from any thread. */
  static void say(@Nullable CommandSpec spec, String line) {
    PrintWriter errors = errors(spec);
    synchronized (errors) {
      errors.println("mutune: " + line);
      errors.flush();
    }
  }

  private static CommandSpec injected(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("picocli injects the spec");
    }
    return spec;
  }
}
