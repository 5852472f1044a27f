package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.Stores;
import io.mutune.trainer.gradient.RowCosts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What each training row has cost: a private file beside the study, and nowhere else. */
@Timeout(240)
class PerInstanceTest {
  private static final String FIXED = "strategy: fixed, space: {logitNoise: 1, steps: %d}";
  private static final String TUNED =
      "strategy: scale-free, space: {steps: 30}, sweeps: [{epsilon: 0.3, trials: 2}],"
          + " score: {on: private, epsilon: 0.2}";

  @TempDir Path folder;

  /** The last row has no features, so that its gradients are 0. */
  private Path sweep(String search, String train, String more) throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 399, 5, 1);
    Files.writeString(
        folder.resolve("private.csv"),
        Files.readString(folder.resolve("private.csv")) + "0,0,0,0,0,1\n");
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 3);
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: rows
        data:
          private: {path: private.csv, format: csv, classes: 3, rows: 400, features: 5}
          test: {path: test.csv}
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {%s}
        train: {%s}
        output: {perInstance: %s}
        %s
        """
            .formatted(search, train, file(), more));
  }

  private Path file() {
    return folder.resolve("costs.csv");
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  private CommandRun run(Path sweep) {
    return CommandRun.of("run", sweep.toString(), "--output", runs());
  }

  private List<double[]> costs() throws IOException {
    List<String> lines = Files.readAllLines(file());
    assertThat(lines.get(0)).startsWith("# PRIVATE");
    assertThat(lines.get(1)).isEqualTo("row,mu,epsilon");
    return lines.subList(2, lines.size()).stream()
        .map(
            line -> {
              String[] cells = line.split(",", -1);
              return new double[] {
                Double.parseDouble(cells[0]),
                Double.parseDouble(cells[1]),
                Double.parseDouble(cells[2])
              };
            })
        .toList();
  }

  private static double statedMu(Path study) throws IOException {
    JsonNode statement = Json.read(Files.readString(study.resolve("statement.json")));
    return statement.path("mu").asDouble();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "noisy-gd,\"strategy: fixed, space: {logitNoise: 1, steps: 30}\"",
        "dp-adam,\"strategy: fixed, space: {learningRate: 0.05, steps: 30}\"",
        "noisy-gd,\"strategy: scale-free, space: {steps: 30}, sweeps: [{epsilon: 0.3, trials: 2}], score: {on: private, epsilon: 0.2}\"",
      })
  void eachRow_paysAtMostTheStatedMu_andShortRowsPayLess(String method, String search)
      throws Exception {
    String rate = method.equals("noisy-gd") ? "" : ", samplingRate: 1";
    Path study = run(sweep(search, "method: " + method + rate, "")).succeeded().folder();
    JsonNode result = Json.read(Files.readString(study.resolve("result.json")));
    assertThat(result.findValue("engine").asString()).isEqualTo("reference");
    double stated = statedMu(study);
    List<double[]> costs = costs();
    assertThat(costs).hasSize(400);
    for (int i = 0; i < 400; i++) {
      assertThat(costs.get(i)[0]).isEqualTo(i + 1);
      assertThat(costs.get(i)[1]).isPositive().isLessThanOrEqualTo(stated * (1 + 1e-11));
      assertThat(costs.get(i)[2]).isLessThanOrEqualTo(2 * (1 + 1e-9));
    }
    // A row without features pays for scores and rounding (the root of 1e-9, and 2.65e-4, of it).
    double scores = search.contains("score") ? Math.sqrt(2) * scoreMu(study) : 0;
    assertThat(costs.get(399)[1])
        .isBetween(scores, Math.sqrt(scores * scores + Math.pow(3e-4 * stated, 2)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  /** The last of the file is the one without features. */
  @Test
  void rowsOfARange_areNumberedAsInTheFile() throws Exception {
    Path sweep = sweep(FIXED.formatted(5), "method: noisy-gd", "");
    Files.writeString(
        sweep,
        Files.readString(sweep)
            .replace(
                "rows: 400, features: 5}",
                "rows: 390, features: 5, range: {first: 11, last: 400}}"));
    run(sweep).succeeded();
    List<double[]> costs = costs();
    assertThat(costs).extracting(row -> row[0]).startsWith(11.0, 12.0).endsWith(399.0, 400.0);
    assertThat(costs.get(389)[1]).isLessThan(costs.get(388)[1]);
  }

  /** Training rows that may be scored on again pay for that too; those of another range do not. */
  @ParameterizedTest
  @CsvSource({"private.csv, 300, true", "other.csv, 401, true", "private.csv, 401, false"})
  void rowsThatMayBeScoredOnAgain_payForIt(String scored, int first, boolean pays)
      throws Exception {
    Path sweep = sweep(TUNED.replace("on: private", "on: validation"), "method: noisy-gd", "");
    SmallSweep.writeRows(folder.resolve("other.csv"), 600, 5, 9);
    Files.writeString(
        folder.resolve("private.csv"),
        Files.readString(folder.resolve("other.csv")),
        StandardOpenOption.APPEND);
    Files.writeString(
        sweep,
        Files.readString(sweep)
            .replace("features: 5}", "features: 5, range: {first: 1, last: 400}}")
            .replace(
                "  test:",
                "  validation: {path: %s, private: true, rows: %d, range: {first: %d, last: 600}}\n  test:"
                    .formatted(scored, 601 - first, first)));
    Path study = run(sweep).succeeded().folder();
    double zeros = costs().get(399)[1];
    assertThat(zeros >= Math.sqrt(2) * scoreMu(study)).isEqualTo(pays);
  }

  private static double scoreMu(Path study) throws IOException {
    JsonNode charges = Json.read(Files.readString(study.resolve("statement.json"))).path("charges");
    for (JsonNode charge : charges) {
      if (charge.path("what").asString().equals("score 1")) {
        return charge.path("mu").asDouble();
      }
    }
    throw new AssertionError("no score");
  }

  /** Of three rows a person two count, so that the first that does is the first or the second. */
  @Test
  void eachPerson_paysAtMostTheStatedMu_underTheirFirstRow() throws Exception {
    StringBuilder rows = new StringBuilder("who,x,class\n");
    for (int row = 0; row < 600; row++) {
      rows.append("p%d,%d,%s%n".formatted(row / 3, row * 7 % 100, row % 2 == 0 ? "a" : "b"));
    }
    Files.writeString(folder.resolve("people.csv"), rows);
    Path sweep =
        Files.writeString(
            folder.resolve("people.yaml"),
            """
            version: 1
            name: people
            data:
              columns:
                who: {type: id}
                x: {type: number, min: 0, max: 100}
                class: {type: label, values: [a, b]}
              unit: {column: who, rows: 2, people: 200}
              private: {path: people.csv, format: csv}
            budget: {epsilon: 2, delta: 1.0e-5}
            search: {%s}
            train: {method: noisy-gd}
            output: {perInstance: %s}
            """
                .formatted(FIXED.formatted(5), file()));
    Path study = run(sweep).succeeded().folder();
    List<String> lines = Files.readAllLines(file());
    assertThat(lines.get(1)).isEqualTo("firstRow,mu,epsilon");
    assertThat(lines).hasSize(202);
    for (String line : lines.subList(2, 202)) {
      assertThat(Double.parseDouble(line.split(",", -1)[1]))
          .isPositive()
          .isLessThanOrEqualTo(statedMu(study) * (1 + 1e-11));
    }
    assertThat(lines.get(201)).matches("59[89],.*");
    assertThat(RowCosts.epsilons(file())).hasSize(200);
  }

  @Test
  void noFigure_isInTheStudysFolderItsStoreOrItsOutput() throws Exception {
    CommandRun run = run(sweep(TUNED, "method: noisy-gd", "")).succeeded();
    List<String> figures =
        Files.readAllLines(file()).stream()
            .skip(2)
            .flatMap(line -> List.of(line.split(",", -1)).subList(1, 3).stream())
            .toList();
    assertThat(figures).hasSize(800);
    StringBuilder released = new StringBuilder(run.out()).append(run.err());
    try (var files = Files.walk(folder.resolve("runs"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        released.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(released).contains("noisy-gd");
    for (String figure : figures) {
      assertThat(released).doesNotContain(figure);
    }
  }

  /** Steps of an earlier start were not watched: they count as if each had cost all of C. */
  @Test
  void aResumedStudy_savesNothingForStepsThatItDidNotSee() throws Exception {
    Path sweep = sweep(FIXED.formatted(2000), "method: noisy-gd", "");
    try (MutuneProcess process = MutuneProcess.start("run", sweep.toString(), "--output", runs());
        StoreView store = process.store(folder.resolve("runs").resolve(StoreOption.FILE))) {
      process.until(() -> store.held(() -> store.stepsBegun() > 400));
      assertThat(process.kill()).as("was still running").isTrue();
    }
    assertThat(file()).doesNotExist();
    Path study = CommandRun.of("resume", "--output", runs()).succeeded().folder();
    // Of 2000 steps at least 378 were taken, or lost, before; the row without features still pays
    // for those.
    double share = costs().get(399)[1] / statedMu(study);
    assertThat(share).isBetween(Math.sqrt(378 / 2000.0), 1.0);
  }

  /** Who resumes a study whose results could not be written has watched no step of it. */
  @Test
  void aStudyWhoseResultsAreWrittenLater_keepsItsFigures() throws Exception {
    Path sweep = sweep(FIXED.formatted(2000), "method: noisy-gd", "");
    Path output = folder.resolve("runs");
    Path kept = folder.resolve(StoreOption.FILE);
    String[] where = {"--output", runs(), "--store", kept.toString()};
    CommandRun ended;
    try (MutuneProcess process =
            MutuneProcess.start("run", sweep.toString(), where[0], where[1], where[2], where[3]);
        StoreView store = process.store(kept)) {
      process.until(() -> store.held(() -> store.stepsBegun() > 0));
      Files.delete(output);
      Files.createFile(output);
      store.release();
      ended = process.end();
    }
    assertThat(ended.toldWhy(ExitCode.STORAGE)).contains("make room and run: mutune resume");
    String costs = Files.readString(file());
    Files.delete(output);
    Files.createDirectory(output);

    CommandRun resumed =
        CommandRun.of("resume", where[0], where[1], where[2], where[3]).succeeded();

    assertThat(file()).hasContent(costs);
    assertThat(resumed.err()).contains(file() + " is of an earlier start and stays as it is");
    assertThat(costs().get(399)[1]).isLessThan(1e-3 * statedMu(resumed.folder()));
  }

  @Test
  void theFileOfAnotherStudy_isReplaced() throws Exception {
    Path sweep = sweep(FIXED.formatted(5), "method: noisy-gd", "");
    run(sweep).succeeded();
    CommandRun second = run(sweep).succeeded();
    assertThat(Files.readAllLines(file()).get(0))
        .contains(
            "study " + second.folder().getFileName().toString().replace("rows-", "") + " of ");
    assertThat(second.err()).doesNotContain("earlier start");
  }

  @Test
  void whereItIsNotProved_orWouldLieAmongReleases_itIsRefused() throws Exception {
    assertThat(run(sweep(FIXED.formatted(5), "method: dp-sgd, samplingRate: 0.1", "")).err())
        .contains("output.perInstance is for methods whose every step takes all rows");
    assertThat(run(sweep(FIXED.formatted(5), "method: noisy-gd", "run: {noise: {grid: 30}}")).err())
        .contains("output.perInstance leaves no room for rounding");
    Path sweep = sweep(FIXED.formatted(5), "method: noisy-gd", "");
    String text = Files.readString(sweep);
    Files.writeString(sweep, text.replace("1.0e-5}", "1.0e-5, adjacency: replace-one}"));
    assertThat(run(sweep).err()).contains("output.perInstance is proved for adjacency: add-remove");
    Files.writeString(
        sweep, text.replace("{perInstance", "{directory: " + folder + ", perInstance"));
    assertThat(run(sweep).err()).contains("must not be in the output directory");
    assertThat(folder.resolve("runs")).doesNotExist();
    Files.writeString(sweep, text);
    assertThat(
            CommandRun.of("run", sweep.toString(), "--output", folder.toString())
                .failedWith(ExitCode.INVALID))
        .contains("must not be in the output directory");
    assertThat(file()).doesNotExist();
  }

  @Test
  void aLinkIntoTheOutputDirectory_isSeenThrough() throws Exception {
    Path sweep = sweep(FIXED.formatted(5), "method: noisy-gd", "");
    Files.createDirectory(folder.resolve("runs"));
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("runs"));
    String text = Files.readString(sweep);
    Files.writeString(sweep, text.replace("costs.csv", "link/costs.csv"));
    assertThat(run(sweep).failedWith(ExitCode.INVALID))
        .contains("must not be in the output directory");
    // Or the output is the link, and the file lies where it leads.
    Files.writeString(sweep, text.replace("costs.csv", "runs/costs.csv"));
    assertThat(
            CommandRun.of("run", sweep.toString(), "--output", folder.resolve("link").toString())
                .failedWith(ExitCode.INVALID))
        .contains("must not be in the output directory");
    assertThat(folder.resolve("runs/costs.csv")).doesNotExist();
  }

  @Test
  void whatTheStudyReads_isNotOverwritten_andItsFolderHasToBeThere() throws Exception {
    Path sweep = sweep(FIXED.formatted(5), "method: noisy-gd", "");
    String text = Files.readString(sweep);
    byte[] rows = Files.readAllBytes(folder.resolve("private.csv"));
    Files.writeString(sweep, text.replace("costs.csv", "private.csv"));
    assertThat(run(sweep).failedWith(ExitCode.INVALID)).contains("would be overwritten");
    // No study holds a budget for it.
    try (StoreView view = StoreView.of(folder.resolve("runs/mutune.db"))) {
      assertThat(view.hasStudy()).isFalse();
    }
    assertThat(Files.readAllBytes(folder.resolve("private.csv"))).isEqualTo(rows);
    Path store = folder.resolve("other/mutune.db");
    Stores.open(store).close();
    byte[] stored = Files.readAllBytes(store);
    Files.writeString(sweep, text.replace("costs.csv", "other/mutune.db"));
    assertThat(run(sweep).failedWith(ExitCode.INVALID)).contains("is a store's file");
    assertThat(store).hasBinaryContent(stored);
    Files.writeString(sweep, text.replace("costs.csv", "missing/costs.csv"));
    assertThat(run(sweep).failedWith(ExitCode.INVALID)).contains("has to be there");
    try (StoreView charged = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      assertThat(charged.charges()).isEmpty();
    }
  }
}
