package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import picocli.CommandLine;

/** One command line and what came of it, in this process or another. */
record CommandRun(int status, String out, String err) {
  /** Runs it in this process. */
  static CommandRun of(String... arguments) {
    return of(new Interruption(), arguments);
  }

  static CommandRun of(Interruption interruption, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = MutuneCommand.commandLine(interruption, arguments);
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    int status = command.execute(arguments);
    command.getOut().flush();
    command.getErr().flush();
    return new CommandRun(status, out.toString(), err.toString());
  }

  static CommandRun run(SmallSweep sweep, String... more) {
    return of(sweep.command("run", more));
  }

  CommandRun succeeded() {
    assertThat(status).as("out: %s%nerr: %s", out, err).isEqualTo(ExitCode.DONE);
    return this;
  }

  /** That it failed with this status and said so in one line, its last, without a stack trace. */
  String failedWith(int expected) {
    assertThat(status).as("out: %s%nerr: %s", out, err).isEqualTo(expected);
    assertThat(out).isEmpty();
    assertThat(err).doesNotContain("\tat ", "Exception");
    assertThat(err.lines().filter(line -> line.startsWith("mutune: "))).hasSize(1);
    String last = err.lines().reduce("", (before, line) -> line);
    assertThat(last).startsWith("mutune: ");
    return last;
  }

  /** That it failed with this status, whatever it printed before; what it said of that. */
  String toldWhy(int expected) {
    assertThat(status).as("out: %s%nerr: %s", out, err).isEqualTo(expected);
    assertThat(err).doesNotContain("\tat ", "Exception");
    return err;
  }

  /** The folder that the last line of a run names. */
  Path folder() {
    return Path.of(out.lines().reduce("", (before, line) -> line));
  }
}
