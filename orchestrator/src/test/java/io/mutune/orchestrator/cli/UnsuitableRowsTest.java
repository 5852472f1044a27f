package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test rows are used last, so what is wrong with them must not cost the study. */
class UnsuitableRowsTest {
  @TempDir Path folder;

  @Test
  void testRowsOfAnotherWidth_areNamed_beforeAnythingIsCharged() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 4, 2);
    CommandRun failed = CommandRun.run(sweep);
    failed.failedWith(ExitCode.INVALID);
    assertThat(failed.err()).contains("test.csv: has rows of 4 columns, and data.private has 5");
    assertThat(sweep.runs()).doesNotExist();

    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    CommandRun.run(sweep).succeeded();
  }
}
