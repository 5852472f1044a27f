package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code --master} where a study cannot use a cluster: no study is entered, and nothing charged.
 */
class ClusterOptionTest {
  @TempDir Path folder;

  private static final String ONE = "{strategy: fixed, space: {learningRate: 1, steps: 5}}";

  private CommandRun run(String search, String train, String output) throws IOException {
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
            search: %s
            train: {%s, loss: softmax}
            output: {%s}
            """
                .formatted(search, train, output));
    Path runs = folder.resolve("runs");
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", runs.toString(), "--master", "yarn");
    assertThat(runs).doesNotExist();
    return run;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {strategy: fixed, space: {logitNoise: 1, steps: 5}} | '' | Spark is not here
          {strategy: fixed, space: {logitNoise: 1, steps: 5}} | 'perInstance: costs.csv' | needs sums in double
          {strategy: random-stopping, runs: {mean: 3}, space: {logitNoise: {min: 1, max: 2}, steps: 5}, score: {on: private, epsilon: 0.2}} | '' | how many runs there are
          """)
  void whatAClusterCannotDo_isRefused(String search, String output, String message)
      throws IOException {
    assertThat(run(search, "method: noisy-gd", output).toldWhy(ExitCode.INVALID)).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          method: dp-sgd, samplingRate: 0.1 | Spark is not here
          method: dp-zo | dp-zo asks private rows for something else than clipped sums
          method: external, command: [cat], mechanism: {type: gaussian} | external asks private rows for something
          """)
  void methodsThatAskForMoreThanSums_areRefused(String train, String message) throws IOException {
    assertThat(run(ONE, train, "").toldWhy(ExitCode.INVALID)).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary", "neighbours"})
  void attacks_nameAClusterToo(String kind) throws IOException {
    CommandRun run =
        CommandRun.of(
            "attack",
            kind,
            SmallSweep.in(folder).declaredPublic().command("run")[1],
            "--output",
            folder.resolve("attack.json").toString(),
            "--master",
            "yarn");
    assertThat(run.failedWith(ExitCode.INVALID)).contains("Spark is not here");
    assertThat(folder.resolve("attack.json")).doesNotExist();
  }
}
