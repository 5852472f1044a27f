package io.mutune.orchestrator.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a study writes is what {@code mutune predict} reads. */
class TrainedModelPredictTest {
  private static final String SWEEP =
      """
      version: 1
      name: toy
      data:
        private:
          path: rows.csv
          format: csv
          delimiter: ";"
          header: true
          label: kind
          classes: [left, right]
          rows: 40
      features:
        - {type: l2-normalize}
      budget: {epsilon: 3.0, delta: 1.0e-5}
      search:
        strategy: scale-free
        space:
          logitNoise: {min: 0.1, max: 10, scale: log}
          steps: 2
        sweeps:
          - {epsilon: 0.5, trials: 1}
        score: {on: private, epsilon: 0.3}
      train: {method: noisy-gd, loss: softmax, clipNorm: 1.0, momentum: 0.9, freeStep: true}
      """;

  @TempDir Path folder;

  private static String mutune(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        MutuneCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = command.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  @Test
  void formOfTheTrainingFile_isKept_andThatFileCanBePredictedOn() throws IOException {
    Path rows = folder.resolve("rows.csv");
    Files.writeString(rows, "a;kind;b\n" + "7;left;1\n1;right;7\n".repeat(20));
    Path sweep = Files.writeString(folder.resolve("toy.yaml"), SWEEP);
    Path runs = folder.resolve("runs");
    List<String> printed = mutune("run", sweep, "--output", runs).lines().toList();
    Path study = Path.of(printed.get(printed.size() - 1));

    CsvLayout layout = new CsvLayout(';', true, new LabelColumn.Named("kind"));
    assertThat(ModelDocument.read(study).form())
        .isEqualTo(RowForm.ofNumbers(DataFormat.CSV, layout, 2));
    // What it says is left to noise; a head of two lines and a line a row is not.
    assertThat(mutune("predict", study, rows).lines()).hasSize(42);
  }

  private static final String TABLE =
      """
      version: 1
      name: toy
      data:
        missing: ["?"]
        columns:
          who: {type: id}
          age: {type: number, min: 0, max: 100, knots: 4}
          hours: {type: number, min: 0, max: 80, fill: 40, knots: 0}
          job: {type: category, values: [clerk, cook, "1.0"], other: true, missing: true}
          sure: {type: boolean}
          born: {type: date, min: 1900-01-01, max: 2020-12-31}
          note: {type: ignore}
          kind: {type: label, values: [left, right], spellings: {L: left}}
        private: {path: rows.csv, format: csv, rows: 40, declared: simulated}
        test: {path: test.csv}
      features:
        - {type: random-fourier, features: 8, gamma: 1.0, columns: [age, hours]}
        - {type: constant}
        - {type: l2-normalize}
      budget: {epsilon: 50.0, delta: 1.0e-5}
      search:
        strategy: scale-free
        space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 2}
        sweeps: [{epsilon: 1, trials: 1}]
        score: {on: private, epsilon: 1}
      train: {method: noisy-gd, loss: logistic}
      run: {noise: {seed: 3}}
      """;

  private static final List<String> NAMES =
      List.of("who", "age", "hours", "job", "sure", "born", "note", "kind");

  /** Ages hardly tell the classes apart, so that some predictions are wrong. */
  private static List<String> cells(int row) {
    int age = 30 + 7 * row % 31 + (row % 2 == 0 ? 12 : 0);
    return List.of(
        "p" + row,
        Integer.toString(age),
        row % 9 == 0 ? "?" : Integer.toString(20 + row),
        List.of("clerk", "cook", "baker", "?", "1").get(row % 5),
        row % 3 == 0 ? "Yes" : "f",
        "19" + (10 + row) + "-03-04",
        "anything",
        row % 2 == 1 ? "right" : row % 4 == 0 ? "L" : "left");
  }

  private static String lines(String delimiter, List<Integer> columns, boolean header) {
    Stream<String> rows =
        IntStream.range(0, 40)
            .mapToObj(
                row ->
                    columns.stream()
                        .map(i -> cells(row).get(i))
                        .collect(Collectors.joining(delimiter)));
    String head = columns.stream().map(NAMES::get).collect(Collectors.joining(delimiter));
    return Stream.concat(header ? Stream.of(head) : Stream.of(), rows)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String jsonLines(List<Integer> columns) {
    return IntStream.range(0, 40)
        .mapToObj(
            row ->
                columns.stream()
                    .map(i -> "\"%s\": \"%s\"".formatted(NAMES.get(i), cells(row).get(i)))
                    .collect(Collectors.joining(", ", "{", "}")))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aModelOfATable_readsRawRowsInEveryFormat() throws IOException {
    List<Integer> all = List.of(0, 1, 2, 3, 4, 5, 6, 7);
    Path rows = Files.writeString(folder.resolve("rows.csv"), lines(",", all, true));
    Files.copy(rows, folder.resolve("test.csv"));
    Path sweep = Files.writeString(folder.resolve("toy.yaml"), TABLE);
    List<String> printed =
        mutune("run", sweep, "--output", folder.resolve("runs")).lines().toList();
    Path study = Path.of(printed.get(printed.size() - 1));

    String predicted = mutune("predict", study, rows);
    long right =
        IntStream.range(0, 40)
            .filter(
                row -> predicted.lines().toList().get(2 + row).endsWith(" right") == (row % 2 == 1))
            .count();
    double accuracy =
        Json.read(Files.readString(study.resolve("result.json"))).path("testAccuracy").asDouble();
    assertThat(right / 40.0).isEqualTo(accuracy).isBetween(0.6, 0.99);

    List<Integer> features = List.of(5, 1, 2, 4, 3);
    List<Integer> unlabelled = List.of(0, 1, 2, 3, 4, 5, 6);
    Map<String, String> files =
        Map.of(
            "csv", lines(",", features, true),
            "tsv", lines("\t", features, true),
            "jsonl", jsonLines(features));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path other = Files.writeString(folder.resolve("other"), file.getValue());
      assertThat(mutune("predict", study, other, "--type", file.getKey()))
          .as(file.getKey())
          .isEqualTo(predicted);
    }
    Path named = Files.writeString(folder.resolve("other.JSONL"), jsonLines(features));
    assertThat(mutune("predict", study, named)).as("by the end of its name").isEqualTo(predicted);
    assertThat(refusal("predict", study, folder))
        .endsWith("mutune: %s: is a folder, not a file\n".formatted(folder));
    Path unnamed = Files.writeString(folder.resolve("other"), lines(",", all, false));
    assertThat(mutune("predict", study, unnamed, "--no-header")).isEqualTo(predicted);
    Files.writeString(unnamed, lines(",", unlabelled, false));
    assertThat(refusal("predict", study, unnamed, "--no-header"))
        .as("which column is not there")
        .endsWith(
            ":1: has 7 columns instead of 8: without a header those that are not read count too\n");

    Path test = folder.resolve("test.csv");
    for (String[] command :
        new String[][] {{"export", "--to=json"}, {"predict", rows.toString()}}) {
      assertThat(refusal(command[0], study, command[1], "--output", test))
          .endsWith(
              "mutune: --output %s: is named by the study's sweep as a file that it reads; name another file\n"
                  .formatted(test));
    }
    assertThat(test).hasContent(lines(",", all, true));
    mutune("export", study, "--output", folder.resolve("model.json"));

    byte[] latin = lines(",", all, true).replace("baker", "b\u00e4ker").getBytes(ISO_8859_1);
    assertThat(errors(0, "predict", study, Files.write(unnamed, latin)))
        .contains("mutune: %s:4: is not UTF-8, so its letters outside ASCII".formatted(unnamed));

    assertThat(refusal("predict", study, rows, "--type", "parquet"))
        .endsWith(
            "mutune: %s: is no Parquet file, since it does not begin like one; --type says how it holds its rows\n"
                .formatted(rows));
    Files.writeString(rows, lines(",", all, true).replace("1917-03-04", "1917-02-30"));
    assertThat(refusal("predict", study, rows))
        .endsWith("mutune: %s:9: column 'born' is not a date of the stated form\n".formatted(rows));
    assertThat(refusal("predict", study, rows, "--type", "libsvm")).contains("--type must be");
    assertThat(refusal("predict", study, rows, "--label", "kind")).contains("--label is not");
  }

  private static String refusal(Object... arguments) {
    return errors(2, arguments);
  }

  private static String errors(int expected, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        MutuneCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = command.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    assertThat(status).isEqualTo(expected);
    assertThat(out.toString().isEmpty()).isEqualTo(expected != 0);
    return err.toString();
  }
}
