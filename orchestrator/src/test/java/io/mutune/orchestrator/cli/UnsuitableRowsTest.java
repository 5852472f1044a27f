package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with rows, or with the room for them, must not cost the study. */
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

  /** The rows alone would fit. */
  @Test
  void sumsOfManyTrials_thatLeaveRowsNoRoom_areRefused_beforeAnythingIsCharged() throws Exception {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    Path file =
        Files.writeString(
            folder.resolve("wide.yaml"),
            """
            version: 1
            name: wide
            data:
              private: {path: private.csv, format: csv, classes: 10, features: 5, rows: 400}
              test: {path: test.csv}
            features: [{type: random-fourier, features: 65536, gamma: 1}]
            budget: {epsilon: 2, delta: 1.0e-6}
            search:
              strategy: scale-free
              space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 20}
              sweeps: [{epsilon: 0.4, trials: 2}]
              score: {on: private, epsilon: 0.3}
            train: {method: noisy-gd, loss: softmax}
            run: {parallelTrials: 64}
            """);
    Path runs = folder.resolve("runs");
    CommandRun failed =
        CommandRun.of("run", file.toString(), "--output", runs.toString(), "--no-check");
    failed.failedWith(ExitCode.INVALID);
    assertThat(failed.err()).contains("and sums over them, take ").doesNotContain("trial 1/");
  }
}
