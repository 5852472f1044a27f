package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test rows are read last, so what is wrong with them must not cost the study. */
class UnsuitableRowsTest {
  @TempDir Path folder;

  @Test
  void testRowsOfAnotherWidth_areNamedInOneLine_andTheStudyGoesOnOnceTheyAreMended()
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 4, 2);
    assertThat(CommandRun.run(sweep).failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: data.test: rows of 4 features do not suit a model of 5");

    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    CommandRun.of("resume", "--output", sweep.runs().toString()).succeeded();
  }
}
