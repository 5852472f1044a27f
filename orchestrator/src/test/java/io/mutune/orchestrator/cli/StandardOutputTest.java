package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  private final StringWriter said = new StringWriter();

  private int judged(boolean hasReader, int status) {
    StandardOutput output =
        new StandardOutput(
            new OutputStream() {
              @Override
              public void write(int value) throws IOException {
                throw new IOException("No space left on device");
              }
            },
            () -> hasReader);
    PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
    out.println("an answer");
    out.flush();
    return output.judged(status, new PrintWriter(said, true));
  }

  @Test
  void anAnswerThatIsLost_isNotDone() {
    assertThat(judged(false, ExitCode.DONE)).isEqualTo(ExitCode.STORAGE);
    assertThat(said.toString().strip())
        .isEqualTo("mutune: standard output cannot be written: No space left on device");
    assertThat(judged(false, ExitCode.REFUSED)).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void aReaderThatHasSeenEnough_isNoFailure() {
    assertThat(judged(true, ExitCode.DONE)).isEqualTo(ExitCode.DONE);
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void whatIsWritten_arrives() {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    StandardOutput output = new StandardOutput(to, () -> false);
    PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
    out.print("r = η·T");
    out.flush();
    assertThat(to.toString(StandardCharsets.UTF_8)).isEqualTo("r = η·T");
    assertThat(output.judged(ExitCode.DONE, new PrintWriter(said, true))).isEqualTo(ExitCode.DONE);
  }
}
