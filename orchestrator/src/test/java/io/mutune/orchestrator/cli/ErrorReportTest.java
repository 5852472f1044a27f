package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ErrorReportTest {
  @Command(name = "failing")
  private record Failing(RuntimeException failure) implements Callable<Integer> {
    @Override
    public Integer call() {
      throw failure;
    }
  }

  private static CommandRun run(RuntimeException failure) {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new Failing(failure));
    command.setErr(new PrintWriter(err));
    command.setExecutionExceptionHandler(new ErrorReport(command.getParameterExceptionHandler()));
    return new CommandRun(command.execute(), "", err.toString());
  }

  /** Runs have threads of their own, and sums have others: each hands on what failed below it. */
  @Test
  void tooLittleMemoryOnAnyThread_isNoBugOfMutunes() {
    Error memory = new OutOfMemoryError("Java heap space");
    CommandRun ended = run(new IllegalStateException("a sum failed", new RuntimeException(memory)));
    assertThat(ended.failedWith(CommandLine.ExitCode.SOFTWARE))
        .isEqualTo(
            "mutune: not enough memory (Java heap space): give Java more, as by"
                + " MUTUNE_JAVA_OPTS=-Xmx4g");
  }

  @Test
  void anythingElseThatIsNotForeseen_isABugWithItsTrace() {
    CommandRun ended = run(new IllegalStateException("a sum failed", new StackOverflowError()));
    assertThat(ended.status()).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(ended.err())
        .startsWith("mutune: this is a bug in Mutune, please report it:")
        .contains("Caused by: java.lang.StackOverflowError", "\tat ");
  }
}
