package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Studies whose public test rows are judged by the values of a column too. */
class GroupedTestStudiesTest {
  private static final String HEADER = "age,region,class";

  @TempDir Path folder;

  private List<String> write(String file, int rows, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (int row = 0; row < rows; row++) {
      int age = random.nextInt(100);
      String region = List.of("north", "south", "sea").get(random.nextInt(3));
      boolean high = age + (region.equals("south") ? 30 : 0) + 20 * random.nextGaussian() > 60;
      lines.add(age + "," + region + "," + (high ? "high" : "low"));
    }
    Files.write(folder.resolve(file), lines);
    return lines;
  }

  private Path sweep(String test, String output) throws IOException {
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: grouped
        data:
          private: {path: private.csv, format: csv, rows: 1000}
          test: %s
          columns:
            age: {type: number, min: 0, max: 100}
            region: {type: category, values: [north, south, west], other: true}
            class: {type: label, values: [low, high]}
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 20}}
        train: {method: noisy-gd, loss: logistic}
        output: %s
        """
            .formatted(test, output));
  }

  @Test
  void everyGroupHasTheFiguresOfItsRows() throws IOException {
    write("private.csv", 1000, 1);
    List<String> lines = write("test.csv", 300, 2);
    CommandRun run =
        CommandRun.of(
                "run",
                sweep("{path: test.csv}", "{by: region}").toString(),
                "--output",
                folder.resolve("runs").toString())
            .succeeded();
    JsonNode groups =
        Json.read(Files.readString(run.folder().resolve("result.json"))).at("/test/groups");
    assertThat(groups.path("column").asString()).isEqualTo("region");
    String file = folder.resolve("test.csv").toString();
    String study = run.folder().toString();
    String judged =
        CommandRun.of("predict", study, file, "--metrics", "--by", "region", "--format", "json")
            .succeeded()
            .out();
    assertThat(Json.read(judged).path("groups")).isEqualTo(groups);
    assertThat(CommandRun.of("predict", study, file, "--metrics", "--by", "region").out())
        .contains("region   test rows");
    assertThat(CommandRun.of("predict", study, file, "--metrics", "--by", "age").err())
        .contains("--by needs a column of type category or boolean that the model reads: region");
    assertThat(CommandRun.of("predict", study, file, "--by", "region").err())
        .contains("--by is for --metrics");
    List<String> names = List.of("north", "south", "west", "(other)");
    List<String> written = List.of("north", "south", "west", "sea");
    for (int group = 0; group < names.size(); group++) {
      JsonNode found = groups.path("groups").get(group);
      assertThat(found.path("name").asString()).isEqualTo(names.get(group));
      String value = "," + written.get(group) + ",";
      List<String> its = new ArrayList<>(List.of(HEADER));
      lines.stream().filter(line -> line.contains(value)).forEach(its::add);
      assertThat(found.path("rows").asInt()).isEqualTo(its.size() - 1);
      if (its.size() == 1) {
        assertThat(found.propertyNames()).containsExactly("name", "rows");
        continue;
      }
      Path some = Files.write(folder.resolve("some.csv"), its);
      JsonNode alone =
          Json.read(
              CommandRun.of(
                      "predict",
                      run.folder().toString(),
                      some.toString(),
                      "--metrics",
                      "--format",
                      "json")
                  .succeeded()
                  .out());
      for (String figure : List.of("accuracy", "balancedAccuracy", "auc", "logLoss", "baseline")) {
        assertThat(found.path(figure)).as(figure).isEqualTo(alone.path(figure));
      }
    }
    assertThat(Files.readString(run.folder().resolve("report.html"))).contains("By region");
    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("all of it by region too");
  }

  /**
   * Groups of private test rows are in one charge of the same sensitivity. A count is off by more
   * than 6σ in one of 5e8; there are 16.
   */
  @Test
  void groupsOfPrivateRows_areCountedInOneCharge() throws IOException {
    write("private.csv", 1000, 1);
    List<String> lines = write("test.csv", 3000, 2);
    Path sweep = sweep("{path: test.csv, private: true, rows: 3000}", "{by: region}");
    Files.writeString(
        sweep,
        Files.readString(sweep)
            .replace(
                "{strategy: fixed, space: {logitNoise: 1, steps: 20}}",
                "{strategy: grid, points: {values: 2}, space: {learningRate: {min: 1, max: 9},"
                    + " steps: 10}, score: {on: private, epsilon: 0.7, test: confusion}}")
            .replace("epsilon: 2,", "epsilon: 3,"));
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", folder.resolve("runs").toString())
            .succeeded();
    JsonNode groups =
        Json.read(Files.readString(run.folder().resolve("result.json")))
            .at("/privateFigures/groups");
    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    JsonNode charges = statement.path("charges");
    JsonNode charge = charges.get(charges.size() - 1);
    assertThat(charge.path("what").asString()).isEqualTo("test score");
    assertThat(charge.path("parameters").path("sensitivity").asDouble()).isOne();
    double sigma = charge.path("parameters").path("sigma").asDouble();
    List<String> written = List.of("north", "south", "west", "sea");
    for (int group = 0; group < 4; group++) {
      String value = "," + written.get(group) + ",";
      long rows = lines.stream().filter(line -> line.contains(value)).count();
      JsonNode found = groups.path("groups").get(group);
      // Four cells a group.
      assertThat(found.path("rows").asDouble()).isCloseTo((double) rows, within(2 * 6 * sigma));
      assertThat(found.path("accuracy").path("low").asDouble())
          .isLessThanOrEqualTo(found.path("accuracy").path("high").asDouble());
    }
    assertThat(statement.path("released").toString()).contains("says, for each region");
    assertThat(Files.readString(run.folder().resolve("report.html"))).contains("By region");
    assertThat(run.out()).containsPattern("region +test rows, noisy +accuracy +balanced");
    CommandRun.of("card", run.folder().toString()).succeeded();
    assertThat(Files.readString(run.folder().resolve("card.md")))
        .contains("| region | test rows, noisy | accuracy | balanced | macro F1 |", "| north |");
    CommandRun.of("audit", run.folder().toString()).succeeded();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{path: test.csv} | {by: regoin} | output.by must be one of region; was regoin; did you"
            + " mean region?",
        "{path: test.csv} | {by: age} | output.by must be one of region; was age",
        "{path: test.csv, private: true, rows: 300} | {by: region} | output.by of private test rows"
            + " needs counts of each group, in one charge: write search.score.test: confusion, or"
            + " let data.test be public rows; was region",
      })
  void whatCannotBeGrouped_isRefused(String test, String output, String message)
      throws IOException {
    CommandRun run = CommandRun.of("validate", sweep(test, output).toString());
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.out() + run.err()).contains("sweep.yaml:13: " + message);
  }
}
