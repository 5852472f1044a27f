package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.MutuneCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import picocli.CommandLine;

/** What a command line came to. */
record Answer(int status, String out, String err) {
  static Answer mutune(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = MutuneCommand.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    int status = command.execute(words);
    command.getOut().flush();
    command.getErr().flush();
    return new Answer(status, out.toString(), err.toString());
  }

  Answer succeeded() {
    assertThat(status).as(err).isZero();
    return this;
  }

  /** The folder that its last line names. */
  Path last() {
    succeeded();
    return Path.of(out.lines().reduce("", (before, line) -> line));
  }
}
