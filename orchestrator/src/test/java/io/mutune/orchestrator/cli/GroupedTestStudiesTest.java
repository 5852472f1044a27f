package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.Json;
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
      Path file = Files.write(folder.resolve("some.csv"), its);
      JsonNode alone =
          Json.read(
              CommandRun.of(
                      "predict",
                      run.folder().toString(),
                      file.toString(),
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{path: test.csv} | {by: regoin} | output.by must be one of region; was regoin; did you"
            + " mean region?",
        "{path: test.csv} | {by: age} | output.by must be one of region; was age",
        "{path: test.csv, private: true, rows: 300} | {by: region} | output.by must not be with"
            + " private test rows, whose groups would each be charged: leave it out, or let"
            + " data.test be public rows; was region",
      })
  void whatCannotBeGrouped_isRefused(String test, String output, String message)
      throws IOException {
    CommandRun run = CommandRun.of("validate", sweep(test, output).toString());
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.out() + run.err()).contains("sweep.yaml:13: " + message);
  }
}
