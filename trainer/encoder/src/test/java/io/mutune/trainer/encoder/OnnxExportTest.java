package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.mutune.orchestrator.cli.MutuneCommand;
import io.mutune.testing.SharedFolder;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What mutune export writes as ONNX says the same of raw rows as mutune predict. */
class OnnxExportTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));

  /** No class is as likely as the other but for less than this, so that no rounding decides. */
  private static final double NEAR = 1e-5;

  private static final String STUDY =
      """
      budget: {epsilon: 8, delta: 1.0e-5}
      search: {strategy: fixed, space: {logitNoise: 0.5, steps: 20}}
      run: {noise: {seed: 7}}
      """;

  @TempDir Path folder;

  private static String mutune(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = MutuneCommand.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    int status = command.execute(Stream.of(words).map(Object::toString).toArray(String[]::new));
    command.getOut().flush();
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  private Path study(String sweep) throws IOException {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep + STUDY);
    String out = mutune("run", file, "--output", folder.resolve("runs"));
    return Path.of(out.lines().reduce("", (before, line) -> line));
  }

  /** What the file says of the rows, by the names of its outputs. */
  private Map<String, Object> onnx(Path model, Map<String, Object> inputs)
      throws IOException, OrtException {
    Path file = folder.resolve("model.onnx");
    mutune("export", model, "--output", file);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(file.toString())) {
      assertThat(inputs.keySet()).containsAll(session.getInputNames());
      Map<String, OnnxTensor> tensors = new HashMap<>();
      for (String name : session.getInputNames()) {
        tensors.put(name, OnnxTensor.createTensor(environment, inputs.get(name)));
      }
      Map<String, Object> outputs = new HashMap<>();
      try (OrtSession.Result result = session.run(tensors)) {
        for (String name : session.getOutputNames()) {
          outputs.put(name, result.get(name).orElseThrow().getValue());
        }
      }
      tensors.values().forEach(OnnxTensor::close);
      return outputs;
    }
  }

  /**
   * @param predicted lines of CSV, as {@code mutune predict} prints them, without their header
   */
  static void assertEqual(Map<String, Object> outputs, List<String> predicted) {
    String[] labels = (String[]) Objects.requireNonNull(outputs.get("label"));
    double[][] probabilities = (double[][]) Objects.requireNonNull(outputs.get("probabilities"));
    assertThat(labels).hasSize(predicted.size());
    for (int row = 0; row < labels.length; row++) {
      String[] fields = predicted.get(row).split(",", -1);
      assertThat(labels[row]).as("row %d", row).isEqualTo(fields[1]);
      for (int c = 0; c < probabilities[row].length; c++) {
        assertThat(probabilities[row][c])
            .as("row %d", row)
            .isCloseTo(Double.parseDouble(fields[2 + c]), within(NEAR));
      }
    }
    assertThat(Arrays.stream(labels).distinct().count()).isGreaterThan(1);
  }

  private static List<String> lines(String csv) {
    return csv.lines().skip(1).toList();
  }

  private static List<String> lines(Path gzip) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(gzip)), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  @Test
  void digits_throughRandomFeatures() throws IOException, OrtException {
    Path rows = ROOT.resolve("sweeps/data/digits.csv.gz").toAbsolutePath();
    Path study =
        study(
            """
            version: 1
            name: digits
            data:
              private: {declared: public, path: %s, format: csv, label: last, classes: 10, features: 64,
                rows: 1300, range: {first: 1, last: 1300}}
              test: {path: %s, range: {first: 1301, last: 1797}}
            features:
              - {type: scale, min: 0, max: 16}
              - {type: random-fourier, features: 500, gamma: 0.1}
              - {type: l2-normalize}
            train: {method: noisy-gd, loss: softmax}
            """
                .formatted(rows, rows));
    List<String> text = lines(rows);
    float[][] numbers = new float[text.size()][64];
    for (int row = 0; row < numbers.length; row++) {
      String[] cells = text.get(row).split(",", -1);
      for (int i = 0; i < 64; i++) {
        numbers[row][i] = Float.parseFloat(cells[i]);
      }
    }
    String predicted = mutune("predict", study, rows, "--format", "csv");
    assertEqual(onnx(study, Map.of("rows", numbers)), lines(predicted));
  }

  @Test
  void adult_fromItsRawColumns() throws IOException, OrtException {
    Path test = SharedFolder.file("data/adult.test.gz");
    String card = Files.readString(ROOT.resolve("sweeps/cards/adult.yaml"));
    String columns =
        card.substring(card.indexOf("missing:"), card.indexOf("private:"))
            .lines()
            .map(line -> "  " + line + "\n")
            .collect(Collectors.joining());
    Path study =
        study(
            "version: 1\nname: adult\ndata:\n"
                + columns
                + """
                  private: {declared: public, path: %s, format: csv, header: false, rows: 32000}
                  test: {path: %s, skipLines: 1}
                train: {method: noisy-gd, loss: logistic}
                """
                    .formatted(SharedFolder.file("data/adult.data.gz"), test));
    List<String> rows = lines(test).stream().skip(1).filter(line -> !line.isBlank()).toList();
    Path file = Files.write(folder.resolve("adult.test"), rows);
    List<String> names =
        columns
            .lines()
            .filter(line -> line.matches("    [a-z-]+: [{]type.*"))
            .map(line -> line.strip().split(":", -1)[0])
            .toList();
    assertThat(names).hasSize(15);
    Set<String> numeric =
        Set.of("age", "education-num", "capital-gain", "capital-loss", "hours-per-week");
    Map<String, Object> inputs = new HashMap<>();
    for (int column = 0; column < names.size(); column++) {
      int at = column;
      Stream<String> cells = rows.stream().map(line -> line.split(",", -1)[at].strip());
      inputs.put(
          names.get(column),
          numeric.contains(names.get(column))
              ? cells.map(cell -> new double[] {Double.parseDouble(cell)}).toArray(double[][]::new)
              : cells.map(cell -> new String[] {cell}).toArray(String[][]::new));
    }
    String predicted = mutune("predict", study, file, "--format", "csv", "--no-header");
    assertEqual(onnx(study, inputs), lines(predicted));
  }

  private static final String COLUMNS =
      """
      version: 1
      name: mixed
      data:
        missing: ["?", "-1", "1992-03-01"]
        columns:
          age: {type: number, min: 0, max: 100, knots: 4}
          pay: {type: number, min: 10, max: 9000, log: true, knots: 0, fill: 300}
          job: {type: category, values: [clerk, cook, "1.0", "2"], other: true, missing: true}
          sure: {type: boolean, fill: true}
          level: {type: ordinal, values: [low, mid, high], fill: mid}
          born: {type: date, min: 1900-01-01, max: 2020-12-31, fill: 1970-01-01}
          tiny: {type: number, min: 0, max: 1e-15, log: true, knots: 0}
          kind: {type: label, values: [left, right]}
        private: {declared: simulated, path: rows.csv, format: csv, rows: 60}
      features:
        - {type: polynomial, degree: 2, columns: [age, pay]}
        - {type: constant}
        - {type: l2-normalize}
      train: {method: noisy-gd, loss: logistic}
      """;

  /** A cell of each column; every fifth is missing where it may be. */
  private static List<String> cells(int row) {
    boolean gap = row % 5 == 0;
    return List.of(
        Integer.toString(5 + 3 * row % 110),
        gap ? "-1" : Integer.toString(20 + 160 * row),
        List.of("clerk", "cook", "1", row % 2 == 0 ? "2.0" : "baker", "?").get(row % 5),
        gap ? "" : List.of("Yes", "NO", "true").get(row % 3),
        gap ? "?" : List.of("low", "mid", "high").get(row % 3),
        gap ? "" : LocalDate.of(1890 + 2 * row, 3, 1).toString(),
        row + "e-17",
        row % 2 == 0 ? "left" : "right");
  }

  @Test
  void everyKindOfColumn_andARowThatDoesNotFit() throws IOException, OrtException {
    List<String> names = List.of("age", "pay", "job", "sure", "level", "born", "tiny", "kind");
    List<String> lines = new ArrayList<>(List.of(String.join(",", names)));
    IntStream.range(0, 60).forEach(row -> lines.add(String.join(",", cells(row))));
    Path rows = Files.write(folder.resolve("rows.csv"), lines);
    Path study = study(COLUMNS);
    Map<String, Object> inputs = new HashMap<>();
    for (int column = 0; column < names.size(); column++) {
      int at = column;
      Stream<String> cells = IntStream.range(0, 61).mapToObj(row -> cells(row).get(at));
      inputs.put(
          names.get(column),
          Set.of("age", "pay", "born", "tiny").contains(names.get(column))
              ? cells.map(cell -> new double[] {number(cell)}).toArray(double[][]::new)
              : cells.map(cell -> new String[] {cell}).toArray(String[][]::new));
    }
    ((double[][]) Objects.requireNonNull(inputs.get("age")))[60][0] = Double.POSITIVE_INFINITY;
    Map<String, Object> outputs = onnx(study, inputs);
    String[] labels = (String[]) Objects.requireNonNull(outputs.get("label"));
    double[][] probabilities = (double[][]) Objects.requireNonNull(outputs.get("probabilities"));
    assertThat(labels[60]).isEmpty();
    assertThat(probabilities[60]).containsOnly(Double.NaN);
    outputs.put("label", Arrays.copyOf(labels, 60));
    assertEqual(outputs, lines(mutune("predict", study, rows, "--format", "csv")));
  }

  /** Mutune makes an i with a dot of a capital without one, which is no "hayır". */
  @Test
  void aWordInCapitals_isOneWhereLowerCaseGivesTheWord() throws IOException, OrtException {
    List<String> lines = new ArrayList<>(List.of("sure,kind"));
    IntStream.range(0, 60).forEach(row -> lines.add(row % 3 == 0 ? "evet,left" : "hayır,right"));
    Files.write(folder.resolve("rows.csv"), lines);
    Path study =
        study(
            """
            version: 1
            name: words
            data:
              columns:
                sure: {type: boolean, yes: [evet], no: [hayır]}
                kind: {type: label, values: [left, right]}
              private: {declared: simulated, path: rows.csv, format: csv, rows: 60}
            features: [{type: constant}]
            train: {method: noisy-gd, loss: logistic}
            """);
    String[][] cells = {{"EVET"}, {"Hayır"}, {"HAYIR"}};

    String[] labels =
        (String[]) Objects.requireNonNull(onnx(study, Map.of("sure", cells)).get("label"));
    assertThat(labels[0]).isNotEmpty();
    assertThat(labels[1]).isNotEmpty();
    assertThat(labels[2]).isEmpty();
  }

  @Test
  void aSmallProbabilityOfTheFirstClass_isNotLost() throws IOException, OrtException {
    Path model =
        model("\"loss\": \"logistic\", \"classes\": [\"a\", \"b\"]", "", 1, new int[] {1, 1});
    Map<String, Object> outputs = onnx(model, Map.of("rows", new float[][] {{90}, {-90}}));
    double[][] scores = (double[][]) Objects.requireNonNull(outputs.get("scores"));
    double[][] probabilities = (double[][]) Objects.requireNonNull(outputs.get("probabilities"));
    for (int row = 0; row < 2; row++) {
      assertThat(Math.abs(scores[row][0])).isBetween(40.0, 200.0);
      assertThat(probabilities[row][0] * (1 + Math.exp(scores[row][0]))).isCloseTo(1, within(1e-9));
    }
  }

  /** A model that nobody trained, with weights at random. */
  private Path model(String head, String maps, int inputs, int[] shape) throws IOException {
    Path model = Files.createDirectories(folder.resolve("model"));
    double[] weights = new SplittableRandom(6).doubles((long) shape[0] * shape[1], -2, 2).toArray();
    NpzFile.write(model.resolve("model.npz"), Map.of("weights", new NpyArray(shape, weights)));
    Files.writeString(
        model.resolve("model.json"),
        """
        {"version": 1, "study": "1", "name": "small", %s, "features": [%s], "data":
          {"format": "csv", "delimiter": ",", "header": false, "label": "last", "features": %d}}"""
            .formatted(head, maps, inputs));
    return model;
  }

  private float[][] rows(int count, int width) {
    SplittableRandom random = new SplittableRandom(5);
    float[][] rows = new float[count][width];
    for (float[] row : rows) {
      for (int i = 0; i < width; i++) {
        row[i] = (float) (5 * random.nextDouble() - 1.5);
      }
    }
    return rows;
  }

  private Path written(float[][] rows) throws IOException {
    return Files.write(
        folder.resolve("numbers.csv"),
        Arrays.stream(rows)
            .map(
                row ->
                    IntStream.range(0, row.length)
                        .mapToObj(i -> Float.toString(row[i]))
                        .collect(Collectors.joining(",")))
            .toList());
  }

  /** The maps that no study above has; values beyond the scale's bounds are held within them. */
  @ParameterizedTest
  @ValueSource(strings = {"private-mean", "public-mean"})
  void meansGroupsAndProducts_sayTheSame(String mean) throws IOException, OrtException {
    String means =
        IntStream.range(0, 12)
            .mapToObj(i -> "\"%d\": %s".formatted(i, i / 16.0))
            .collect(Collectors.joining(", "));
    Path model =
        model(
            "\"loss\": \"softmax\", \"classes\": [\"a\", \"b\", \"c\"]",
            """
            {"type": "scale", "min": -1, "max": 3}, {"type": "%s", %s},
            {"type": "group-norm", "channels": 4, "groups": 2},
            {"type": "polynomial", "degree": 3}"""
                .formatted(mean, means),
            12,
            new int[] {455, 3});
    float[][] rows = rows(1000, 12);
    String predicted = mutune("predict", model, written(rows), "--format", "csv");
    assertEqual(onnx(model, Map.of("rows", rows)), lines(predicted));
  }

  /** Some of the scores lie beyond the bounds, and are held within them. */
  @Test
  void realTargets_sayTheSame_inTheirUnit() throws IOException, OrtException {
    Path model =
        model(
            "\"loss\": \"squared\", \"target\": {\"min\": 10, \"max\": 30}",
            "{\"type\": \"constant\"}",
            3,
            new int[] {4, 1});
    float[][] rows = rows(1000, 3);
    double[][] targets =
        (double[][]) Objects.requireNonNull(onnx(model, Map.of("rows", rows)).get("target"));
    List<String> predicted =
        mutune("predict", model, written(rows), "--format", "csv").lines().skip(1).toList();
    assertThat(predicted).hasSize(1000);
    for (int row = 0; row < 1000; row++) {
      double said = Double.parseDouble(predicted.get(row).split(",", -1)[1]);
      // 1e-5 of the width of the range, as of probabilities.
      assertThat(targets[row][0]).as("row %d", row).isCloseTo(said, within(20 * NEAR));
    }
    assertThat(Arrays.stream(targets).mapToDouble(t -> t[0]))
        .contains(10.0, 30.0)
        .anyMatch(t -> t > 11 && t < 29);
  }

  private static double number(String cell) {
    return cell.isEmpty()
        ? Double.NaN
        : cell.matches(".*-.*-.*") ? LocalDate.parse(cell).toEpochDay() : Double.parseDouble(cell);
  }
}
