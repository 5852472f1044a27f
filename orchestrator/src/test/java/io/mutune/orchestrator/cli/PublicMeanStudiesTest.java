package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Studies whose rows are taken less the mean of public ones. */
class PublicMeanStudiesTest {
  private static final String SWEEP =
      """
      version: 1
      name: centred
      data:
        private: {path: private.csv, format: csv, features: 5, classes: 3, rows: 400}
        public: {path: public.csv}
        test: {path: test.csv}
      features:
        - {type: scale, min: 0, max: 2}
        - {type: public-mean}
        - {type: l2-normalize}
      budget: {epsilon: 8, delta: 1.0e-3}
      search: {strategy: fixed, space: {logitNoise: 0.5, steps: 20}}
      train: {method: noisy-gd, loss: softmax}
      """;

  @TempDir Path folder;

  private CommandRun run(String sweep) throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("public.csv"), 50, 5, 2);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 3);
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    return CommandRun.of("run", file.toString(), "--output", folder.resolve("runs").toString());
  }

  @Test
  void theMean_isThatOfPublicRows_andIsNotCharged() throws IOException {
    Path study = run(SWEEP).succeeded().folder();
    JsonNode statement = Json.read(Files.readString(study.resolve("statement.json")));
    assertThat(statement.path("charges").size()).isEqualTo(1);
    double[] mean = new double[5];
    List<String> rows = Files.readAllLines(folder.resolve("public.csv"));
    for (String row : rows) {
      List<String> cells = List.of(row.split(",", -1));
      for (int i = 0; i < mean.length; i++) {
        mean[i] += Double.parseDouble(cells.get(i)) / 2 / rows.size();
      }
    }
    JsonNode map = Json.read(Files.readString(study.resolve("model.json"))).path("features").get(1);
    assertThat(map.path("type").asString()).isEqualTo("public-mean");
    for (int i = 0; i < mean.length; i++) {
      // Rows are float32, which is good for 6e-8 of a value below 1.
      assertThat(map.path(Integer.toString(i)).asDouble())
          .isBetween(mean[i] - 1e-7, mean[i] + 1e-7);
    }
    CommandRun predicted =
        CommandRun.of(
            "predict",
            study.resolve("model.npz").toString(),
            folder.resolve("test.csv").toString());
    assertThat(predicted.succeeded().out().lines()).hasSize(102);
    CommandRun.of("audit", "--output", folder.resolve("runs").toString()).succeeded();
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: the features in model.json: a mean of public rows is among them");
  }

  @Test
  void withoutPublicRows_itIsRefused() throws IOException {
    CommandRun run = run(SWEEP.replace("  public: {path: public.csv}\n", ""));
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.err())
        .contains("data.public is missing; the feature map public-mean takes the mean of public");
  }
}
