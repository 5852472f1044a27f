package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.DateType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
  void blanksAroundACell_areThoseOfJava() throws Exception {
    String removed =
        """
        import json
        import mutune
        print(json.dumps({"removed": [c for c in range(0x110000)
            if not chr(c).strip(mutune.BLANKS)]}))
        """;
    List<Integer> blanks = new ArrayList<>();
    Json.read(python(removed)).path("removed").forEach(c -> blanks.add(c.asInt()));
    assertThat(blanks)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(Character::isWhitespace)
                .boxed()
                .toList());
    String stripped =
        """
        import json, sys
        import mutune
        model = mutune.load(sys.argv[1])
        rows = [{"age": blank + "44" + blank} for blank in ["\\u2003", "\\xa0"]] + [{"agee": 44}]
        fits = []
        for row in rows:
            try:
                model.encode([row])
                fits.append("fits")
            except ValueError as problem:
                fits.append(str(problem))
        print(json.dumps({"fits": fits}))
        """;
    Path description =
        Files.writeString(
            folder.resolve("age.json"),
            """
            {"columns": 1, "weights": [1], "steps": [], "input": {"numbers": 1, "missing": [],
             "columns": [{"name": "age", "as": "number", "min": 0, "max": 100, "log": false,
              "knots": 0}, {"name": "income", "as": "unread"}]}}
            """);
    assertThat(Json.read(python(stripped, description)).path("fits").valueStream())
        .map(JsonNode::asString)
        .containsExactly(
            "fits",
            "row 0, column 'age' is not a finite number",
            "row 0 has no column 'age'; None says that it is missing");
  }

  @Test
  void aNumberIsHashed_asMutuneWritesIt() throws Exception {
    String program =
        """
        import json, sys
        import mutune
        with open(sys.argv[1], encoding="utf-8") as lines:
            written = [mutune._written(mutune.number(line.strip())) for line in lines]
        print(json.dumps({"written": written}))
        """;
    List<Double> numbers = SmallModels.oddNumbers();
    String lines = numbers.stream().map(n -> n + "\n").collect(Collectors.joining());
    Path file = Files.writeString(folder.resolve("numbers.txt"), lines);
    assertThat(Json.read(python(program, file)).path("written").valueStream())
        .map(JsonNode::asString)
        .containsExactlyElementsOf(numbers.stream().map(Cell::written).toList());
  }

  /** Booleans as JSON lines and Parquet have them, and an empty cell as pandas has it. */
  @Test
  void cellsOfPython_areThoseThatMutuneReads() throws Exception {
    Path description =
        Files.writeString(
            folder.resolve("smoker.json"),
            """
            {"columns": 1, "weights": [[1], [2], [3], [4]], "steps": [], "input":
             {"numbers": 4, "missing": [], "columns": [{"name": "smoker", "as": "listed",
              "anyCase": false, "width": 4, "texts": ["true", "false"], "outcomes":
              [{"at": 0, "value": 1, "flagged": false}, {"at": 1, "value": 1, "flagged": false}],
              "other": {"at": 2, "value": 1, "flagged": false},
              "missing": {"at": 3, "value": 1, "flagged": false}}]}}
            """);
    String scores =
        """
        import json, sys
        import numpy
        import mutune
        model = mutune.load(sys.argv[1])
        cells = [True, numpy.bool_(False), "true", float("nan"), None, "no", float("inf")]
        print(json.dumps({"scores": model.scores([{"smoker": c} for c in cells])[:, 0].tolist()}))
        """;
    assertThat(Json.read(python(scores, description)).path("scores").valueStream())
        .map(JsonNode::asInt)
        .containsExactly(1, 2, 1, 4, 4, 3, 3);
  }

  @Test
  void whereNoScoreIsANumber_theAnswerIsMutunes() throws Exception {
    String program =
        """
        import json
        import numpy as np
        import mutune
        nan = float("nan")
        scores = [[1, nan, 2], [nan, 5, 7], [1, 1, 0], [2, nan, 2], [nan, nan, nan]]
        print(json.dumps({"best": mutune._greatest(np.array(scores)).tolist()}))
        """;
    List<Integer> best = new ArrayList<>();
    Json.read(python(program)).path("best").forEach(b -> best.add(b.asInt()));
    double nan = Double.NaN;
    assertThat(best)
        .containsExactlyElementsOf(
            Stream.of(
                    new double[] {1, nan, 2},
                    new double[] {nan, 5, 7},
                    new double[] {1, 1, 0},
                    new double[] {2, nan, 2},
                    new double[] {nan, nan, nan})
                .map(LinearModel::classOf)
                .toList());
  }

  /** Python alone would take days without hyphens and days of weeks. */
  @Test
  void aDay_isOneWhereItIsInJava() throws Exception {
    List<String> fitting =
        List.of(
            "2020-02-29",
            "1970-01-01",
            "1969-12-31",
            "0001-01-01",
            "9999-12-31",
            "+10000-02-29",
            "+012345-06-07",
            "+999999999-12-31");
    List<String> others =
        List.of(
            "+1000000000-01-01",
            "10000-01-01",
            "+2020-01-01",
            "-2020-01-01",
            "0000-01-01",
            "2023-02-29",
            "2020-13-01",
            "2020-00-10",
            "20200101",
            "2020-W01-1",
            "2020-001",
            "2020-1-1",
            "2020-01-01T00:00",
            "2020-01-01 2020-01-01",
            "\u0662\u0660\u0662\u0660-01-01");
    DateType type =
        new DateType(
            LocalDate.EPOCH, LocalDate.parse("9999-12-31"), DateType.ISO, 0, LocalDate.EPOCH);
    List<String> texts = Stream.concat(fitting.stream(), others.stream()).toList();
    Cell cell = new Cell();
    assertThat(texts)
        .filteredOn(
            text -> {
              cell.setText(text.toCharArray(), 0, text.length());
              return type.encode(cell, new float[type.width()], 0).isFit();
            })
        .containsExactlyElementsOf(fitting);

    String read =
        """
        import json, sys
        import mutune
        column = {"min": -1e12, "max": 1e12, "log": False, "knots": 0}
        with open(sys.argv[1], encoding="utf-8") as file:
            texts = json.load(file)["texts"]
        days = {}
        for text in texts:
            try:
                days[text] = round(mutune.COLUMNS["day"](column)(text)[0] * 2e12 - 1e12)
            except ValueError:
                pass
        print(json.dumps(days))
        """;
    ObjectNode given = Json.object();
    texts.forEach(given.putArray("texts")::add);
    Path file = Files.writeString(folder.resolve("days.json"), Json.write(given));
    Map<String, Long> days = new LinkedHashMap<>();
    Json.read(python(read, file))
        .properties()
        .forEach(d -> days.put(d.getKey(), d.getValue().asLong()));
    Map<String, Long> expected = new LinkedHashMap<>();
    fitting.forEach(text -> expected.put(text, LocalDate.parse(text).toEpochDay()));
    assertThat(days).isEqualTo(expected);
  }

  @Test
  void aModelOfAnotherVersion_isRefused() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5);
    Path study = CommandRun.run(sweep).succeeded().folder();
    Path described = study.resolve("model.json");
    String text = Files.readString(described);
    String later = text.replaceFirst("\"version\" : 1", "\"version\" : 2");
    String read =
        """
        import json, sys
        import mutune
        try:
            mutune.load(sys.argv[1])
        except ValueError as problem:
            print(json.dumps({"problem": str(problem)}))
        """;
    for (String other : List.of(later, later.replace("\"features\"", "\"maps\""))) {
      Files.writeString(described, other);
      assertThat(Json.read(python(read, study)).path("problem").asString())
          .isEqualTo("the model's description is of version 2, and this reads 1");
    }
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
