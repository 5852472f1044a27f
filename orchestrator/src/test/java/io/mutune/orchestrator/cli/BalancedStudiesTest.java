package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whole studies that compare their runs by balanced accuracy on private rows. */
@Timeout(120)
class BalancedStudiesTest {
  private static final String SPACE =
      ", metric: balanced-accuracy, space: {learningRate: {min: 0.1, max: 9}, steps: 10},"
          + " score: {on: private, epsilon: 0.3}";

  @TempDir Path folder;

  private static JsonNode json(CommandRun run, String document) throws IOException {
    return Json.read(Files.readString(run.folder().resolve(document)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy: random, trials: 3",
        "strategy: grid, points: {values: 2}",
        "strategy: successive-halving, points: {values: 2}",
        "strategy: linear-scaling, sweeps: [{epsilon: 0.4, trials: 2}, {epsilon: 0.5, trials: 2}]",
        "strategy: random-stopping, runs: {mean: 2, law: geometric}",
      })
  void everyStrategy_takesScoresOfCountsByClass(String strategy) throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search("{" + strategy + SPACE + "}");
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = json(run, "statement.json");
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble()).isLessThanOrEqualTo(2);
    assertThat(statement.path("scoring").asString())
        .contains("noisy counts by class of correct and of wrong private training rows");
    for (JsonNode trial : json(run, "result.json").path("trials")) {
      assertThat(trial.path("score").asDouble()).isBetween(0.0, 1.0);
    }
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  /** A row in another's place moves two cells; of a private test it moves one count. */
  @Test
  void underReplacedRows_everyScoreIsChargedForTheRootOfTwo_andTheTestForOne() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder).search("{strategy: grid, points: {values: 2}" + SPACE + "}");
    Path file = Path.of(sweep.command("run")[1]);
    Files.writeString(
        file,
        Files.readString(file)
            .replace("delta: 1.0e-5", "delta: 1.0e-5, adjacency: replace-one")
            .replace("{path: test.csv}", "{path: test.csv, private: true, rows: 100}"));
    CommandRun run =
        CommandRun.of("run", file.toString(), "--output", sweep.runs().toString()).succeeded();

    int scores = 0;
    for (JsonNode charge : json(run, "statement.json").path("charges")) {
      String what = charge.path("what").asString();
      double sensitivity = charge.path("parameters").path("sensitivity").asDouble();
      if (what.startsWith("score")) {
        scores++;
        assertThat(sensitivity).isEqualTo(Math.nextUp(Math.sqrt(2)));
      } else if (what.equals("test")) {
        assertThat(sensitivity).isEqualTo(1);
      }
    }
    assertThat(scores).isEqualTo(2);
    JsonNode result = json(run, "result.json");
    assertThat(result.path("scores").path("measure").asString()).isEqualTo("balanced-accuracy");
    assertThat(result.has("test")).as("figures of private test rows").isFalse();
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void weightsOfClasses_standInTheModelAndTheStatement() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .trials(0)
            .train("{method: noisy-gd, loss: softmax, classWeights: [1, 2, 4]}");
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode weights = json(run, "model.json").path("classWeights");
    assertThat(weights.path("0").asDouble()).isEqualTo(0.25);
    assertThat(weights.path("2").asDouble()).isEqualTo(1);
    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("weights of the classes, which are public numbers: 0 0.2500, 1 0.5000, 2 1.000");
    JsonNode test = json(run, "result.json").path("test");
    assertThat(test.path("rows").asInt()).isEqualTo(100);
    assertThat(test.path("confusion").size()).isEqualTo(3);
    CommandRun.of(sweep.command("audit")).succeeded();
  }
}
