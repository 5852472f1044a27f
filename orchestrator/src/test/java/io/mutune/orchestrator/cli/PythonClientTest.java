package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What clients/mutune.py reads is what Mutune writes; where Python has NumPy. */
class PythonClientTest {
  private static final Path ROOT =
      Path.of(System.getProperty("mutune.root", "..")).toAbsolutePath();

  /** Sums in another order, and probabilities that are printed as float32. */
  private static final double NEAR = 1e-6;

  private static final String PREDICT =
      """
      import csv, json, sys
      import numpy
      import mutune
      model = mutune.load(sys.argv[1])
      with open(sys.argv[2], newline="", encoding="utf-8") as lines:
          if sys.argv[3] == "table":
              rows = list(csv.DictReader(lines))
              for row in rows:
                  if row["born"]:
                      day, month, year = row["born"].split()
                      row["born"] = year + ("-02-" if month == "Feb" else "-05-") + day
          else:
              rows = numpy.loadtxt(lines, delimiter=",", dtype=numpy.float32, ndmin=2)
      print(json.dumps({"classes": list(model.predict(rows)),
          "probabilities": model.probabilities(rows).tolist()}))
      """;

  @TempDir Path folder;

  private String python(String program, Object... words) throws IOException, InterruptedException {
    assumeTrue(hasNumPy(), "there is no python3 with NumPy");
    List<String> command = new ArrayList<>(List.of("python3", "-c", program));
    Stream.of(words).map(Object::toString).forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONPATH", ROOT.resolve("clients").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Path errors = folder.resolve("errors");
    builder.redirectError(errors.toFile());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return out;
  }

  private static boolean hasNumPy() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import numpy").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertEqual(Path model, Path loaded, String rows, String form)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("rows.csv"), rows);
    JsonNode found = Json.read(python(PREDICT, loaded, file, form));
    List<String> lines =
        CommandRun.of("predict", model.toString(), file.toString(), "--format", "jsonl")
            .succeeded()
            .out()
            .lines()
            .toList();
    assertThat(found.path("classes")).hasSize(lines.size());
    for (int row = 0; row < lines.size(); row++) {
      JsonNode said = Json.read(lines.get(row));
      assertThat(found.path("classes").get(row)).isEqualTo(said.path("class"));
      int c = 0;
      for (JsonNode probability : said.path("probabilities")) {
        assertThat(found.path("probabilities").get(row).get(c++).asDouble())
            .isCloseTo(probability.asDouble(), within(NEAR));
      }
    }
  }

  private Path exported(Path model, String name) {
    Path output = folder.resolve(name);
    CommandRun.of("export", model.toString(), "--output", output.toString()).succeeded();
    return output;
  }

  @Test
  void anExportedTable_saysTheSame() throws Exception {
    Path model = SmallModels.table(folder.resolve("model"));
    String rows = SmallModels.tableRows(1000);
    assertEqual(model, exported(model, "small.json"), rows, "table");
    assertEqual(model, exported(model, "small.npz"), rows, "table");
  }

  @Test
  void exportedNumbers_sayTheSame() throws Exception {
    Path model = SmallModels.numbers(folder.resolve("model"));
    String rows = SmallModels.numberRows(1000);
    assertEqual(model, exported(model, "small.npz"), rows, "numbers");
  }

  @Test
  void aStudysFolder_isReadAsItIs() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5);
    Path study = CommandRun.run(sweep).succeeded().folder();
    Path test = folder.resolve("test.csv");
    String rows =
        String.join(
            "\n",
            Files.readAllLines(test).stream()
                .map(line -> line.substring(0, line.lastIndexOf(',')))
                .toList());
    assertEqual(study, study.resolve("model.npz"), rows, "numbers");
    String read =
        """
        import json, sys
        import mutune
        print(json.dumps({"epsilon": mutune.statement(sys.argv[1])["epsilon"],
            "accuracy": mutune.result(sys.argv[1])["testAccuracy"],
            "trials": mutune.trials(sys.argv[1])}))
        """;
    JsonNode found = Json.read(python(read, study));
    assertThat(found.path("epsilon"))
        .isEqualTo(Json.read(Files.readString(study.resolve("statement.json"))).path("epsilon"));
    assertThat(found.path("trials")).hasSize(3);
    assertThat(found.path("trials").get(0).path("state").asString()).isEqualTo("scored");
    assertThat(found.path("trials").get(0).path("steps").asDouble()).isEqualTo(5);
  }
}
