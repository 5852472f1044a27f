package io.mutune.orchestrator.cli.command;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command: where it prints, as its command line was told, and how signals reach it. */
public abstract class CliCommand implements Callable<Integer> {
  /** The command above all others. */
  public interface Root {
    /** How signals reach the commands below it. */
    Interruption interruption();
  }

  @Spec private @Nullable CommandSpec spec;

  /** For its answer. */
  public final PrintWriter out() {
    return spec().commandLine().getOut();
  }

  /** For what is said beside the answer. */
  public final PrintWriter errors() {
    return spec().commandLine().getErr();
  }

  /** A word of a command that is said to be typed, as a shell takes it for one. */
  public static String word(String text) {
    return text.matches("[\\w./:@%+=,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** A line about what the command does, on standard error at once; from any thread. */
  public final void say(String line) {
    tell("mutune: " + line);
  }

  /** The same of a line that begins otherwise. */
  protected final void tell(String line) {
    PrintWriter errors = errors();
    synchronized (errors) {
      errors.println(line);
      errors.flush();
    }
  }

  /** Asks it to stop, once it heeds that. */
  public final Interruption interruption() {
    return ((Root) spec().root().userObject()).interruption();
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec, "picocli injects it");
  }
}
