package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code --master} where a study cannot use a cluster: no study is entered, and nothing charged.
 */
class ClusterOptionTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          strategy: fixed, space: {logitNoise: 1, steps: 5} | '' | Spark is not here
          strategy: fixed, space: {logitNoise: 1, steps: 5} | 'perInstance: costs.csv' | needs sums in double
          strategy: random-stopping, runs: {mean: 3}, space: {logitNoise: {min: 1, max: 2}, steps: 5}, score: {on: private, epsilon: 0.2} | '' | how many runs there are
          """)
  void whatAClusterCannotDo_isRefused(String search, String output, String message)
      throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    Path sweep =
        Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            version: 1
            name: rows
            data:
              private: {path: private.csv, format: csv, classes: 3, rows: 400, features: 5}
            budget: {epsilon: 2, delta: 1.0e-5}
            search: {%s}
            train: {method: noisy-gd, loss: softmax}
            output: {%s}
            """
                .formatted(search, output));
    Path runs = folder.resolve("runs");
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", runs.toString(), "--master", "yarn");
    assertThat(run.toldWhy(ExitCode.INVALID)).contains(message);
    assertThat(runs).doesNotExist();
  }
}
