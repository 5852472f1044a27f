package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Studies that keep some of the private units from training, to be scored and tested on. */
class HeldOutStudiesTest {
  private static final String HELD = "holdOut: {validation: 0.2, test: 0.25}";

  @TempDir Path folder;
  private Path runs;

  @BeforeEach
  void writeRows() throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    runs = folder.resolve("runs");
  }

  private Path sweep(String held, String rest) throws IOException {
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: held
        data:
          private: {path: private.csv, format: csv, classes: 3, rows: 400}
          %s
        features: [{type: scale, min: 0, max: 1}, {type: l2-normalize}]
        budget: {epsilon: 2, delta: 1.0e-5}
        search:
          strategy: scale-free
          space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 20}
          sweeps: [{epsilon: 0.4, trials: 2}]
          score: {on: validation, epsilon: 0.3, test: confusion}
        train: {method: noisy-gd, loss: softmax}
        %s
        """
            .formatted(held, rest));
  }

  private CommandRun command(String name, String... more) {
    String[] words = new String[more.length + 3];
    words[0] = name;
    System.arraycopy(more, 0, words, 1, more.length);
    words[more.length + 1] = "--output";
    words[more.length + 2] = runs.toString();
    return CommandRun.of(words);
  }

  @Test
  void scoresOnTrainingRows_askNoneOfThoseThatAreHeldOut() throws IOException {
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    Path sweep = sweep("holdOut: {validation: 0.2}\n  test: {path: test.csv}", "");
    Files.writeString(
        sweep,
        Files.readString(sweep)
            .replace("on: validation, epsilon: 0.3, test: confusion", "on: private, epsilon: 0.3"));
    CommandRun run = command("run", sweep.toString()).succeeded();
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains("Kept from training, by a keyed hash of each: 20.00% for validation")
        .doesNotContain("Asking them took");
  }

  @Test
  void everyQuestionIsCharged_onASideOfItsOwn_andTheStatementSaysSo() throws IOException {
    String sweep = sweep(HELD, "").toString();
    assertThat(CommandRun.of("plan", sweep).succeeded().out())
        .contains("on 220 rows (public count)")
        .contains("held out beside them, by a keyed hash of each: about 80 for validation")
        .contains("about 100 for test");
    JsonNode planned =
        Json.read(CommandRun.of("plan", sweep, "--format", "json").succeeded().out());
    assertThat(planned.path("heldOut").toString())
        .isEqualTo(
            "{\"validation\":{\"share\":0.2,\"rows\":80},\"test\":{\"share\":0.25,\"rows\":100}}");
    CommandRun run = command("run", sweep).succeeded();
    assertThat(run.out()).contains("On 100 private test rows, as expected, by counts with noise");
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .containsPattern(
            "Kept from training, by a keyed hash of each: 20.00% for validation \\(about 80\\) and"
                + " 25.00% for test \\(about 100\\). How many there really are is private. Asking"
                + " them took [0-9.]+% of the budget.");
    JsonNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    double counted = 0;
    for (JsonNode row : result.at("/privateTest/confusion")) {
      for (JsonNode cell : row) {
        counted += cell.asDouble();
      }
    }
    // Binomial of 400 at 1/4, and noise in 9 cells; 7 deviations are passed once in 4e11.
    double noise = result.at("/privateTest/noise").asDouble();
    assertThat(Math.abs(counted - 100)).isLessThan(7 * Math.sqrt(75 + 9 * noise * noise));
    assertThat(result.at("/privateTest/heldOut").asDouble()).isEqualTo(0.25);
    assertThat(result.has("learningCurve")).as("test rows are private").isFalse();
    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.toString())
        .contains("data.private, data.validation, data.test")
        .contains("the share of units that is held out from training, 0.45");
    // Two trials and their scores, the figures of the test, and the final run.
    assertThat(statement.at("/charges")).hasSize(6);
    command("audit").succeeded();
    assertThat(command("audit", "--data").succeeded().out()).contains("data.holdOut: same");
    String key = Files.readString(Path.of(System.getenv("MUTUNE_DATA_KEY"))).strip();
    try (var files = Files.walk(runs)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(key);
      }
    }
  }

  @Test
  void aStudyThatBeganWithAnotherKey_isRefused_beforeARowIsAsked() throws IOException {
    String study = begun(sweep(HELD, ""), "0");
    assertThat(command("resume").failedWith(ExitCode.INVALID))
        .contains("data.holdOut: the study began with another key, so rows would change sides");
    try (StudyStore store = Stores.open(runs.resolve(StoreOption.FILE))) {
      assertThat(store.charges(study)).isEmpty();
    }
  }

  /** Of these rows, numbers of a file of text, none has changed. */
  @Test
  void aStudyThatBeganBeforeNumbersWereReadOtherwise_goesOnWhereNoneOfItsRowsHasAny()
      throws IOException {
    begun(sweep(HELD, ""), DataKeys.here().orElseThrow().split().earlierTag("1"));
    command("resume").succeeded();
    assertThat(command("audit", "--data").succeeded().out()).contains("data.holdOut: same");
  }

  @Test
  void aStudyThatBeganBeforeNumbersWereReadOtherwise_isRefusedWhereRowsMayChangeSides()
      throws IOException {
    Path file = sweep(HELD, "");
    String text = Files.readString(file);
    String columns = "columns: {a: {type: hashed, buckets: 4}, b: {type: label, values: [x, y]}}";
    Files.writeString(
        file,
        text.replace(", classes: 3, rows: 400}", ", rows: 400}\n  " + columns)
            .replace("{type: scale, min: 0, max: 1}, ", ""));
    begun(file, DataKeys.here().orElseThrow().split().earlierTag("1"));
    assertThat(command("resume").failedWith(ExitCode.INVALID))
        .contains("data.holdOut: the study began with a version of Mutune that read numbers of");
  }

  /** A study that has not begun but for the note of its split, under the nonce 1. */
  private String begun(Path sweep, String tag) throws IOException {
    try (StudyStore store = Stores.open(runs.resolve(StoreOption.FILE))) {
      Study made = StudiesHere.of(sweep, runs);
      made.enter(store);
      store.note(
          made.id(),
          new StudyNote(
              StudyNote.Kind.DATA,
              Map.of("part", "data.holdOut", "kind", "hmac-sha-256", "nonce", "1", "key", tag)));
      return made.id();
    }
  }

  /** Which is MUTUNE_DATA_KEY=none. */
  @Test
  void withoutAKey_nothingIsHeldOut_andNothingIsCharged() throws IOException {
    Path file = sweep(HELD, "");
    RunEnvironment keyless =
        new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false);
    try (StudyStore store = Stores.open(runs.resolve(StoreOption.FILE))) {
      Study study = StudiesHere.of(file, runs);
      study.enter(store);
      assertThatIOException()
          .isThrownBy(() -> new StudyRunner(store, study, keyless).run())
          .withMessage(
              "data.holdOut needs the data key: MUTUNE_DATA_KEY is 'none', or there is no home folder to keep one in");
      assertThat(store.charges(study.id())).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "holdOut: {} | '' | is missing",
        "holdOut: {test: 0.5} | '' | 0.4",
        "holdOut: {test: 0.001} | '' | data.holdOut would have no unit of the 400 there are",
        "holdOut: {test: 0.1}\\n  test: {path: test.csv} | ''"
            + " | data.test must be left out where holdOut has rows for it",
        "holdOut: {test: 0.1} | '' | needs data.validation",
        "holdOut: {validation: 0.2} | 'output: {perInstance: costs.csv}'"
            + " | data.holdOut must be left out with output.perInstance",
      })
  void whatDoesNotGoTogether_isRefused(String held, String rest, String message)
      throws IOException {
    String sweep = sweep(held.replace("\\n", "\n"), rest).toString();
    assertThat(CommandRun.of("validate", sweep).toldWhy(ExitCode.INVALID)).contains(message);
  }

  /** Their numbers may differ in the last bits on another machine, and a row goes by these. */
  @Test
  void textsAndPictures_areHeldOutByTheirPersonAlone() throws IOException {
    Path sweep = sweep(HELD, "");
    String text = Files.readString(sweep);
    String columns =
        """
          columns:
            words: {type: text, encoder: e5-small-v2}
            who: {type: id}
            kind: {type: label, values: [a, b, c]}
        """;
    String texts = text.replace("format: csv, classes: 3,", "format: csv,");
    texts = texts.replace("  private:", columns + "  private:").replaceAll("features:.*\n", "");
    Files.writeString(sweep, texts);
    assertThat(CommandRun.of("validate", sweep.toString()).toldWhy(ExitCode.INVALID))
        .contains("data.holdOut needs a unit: a row goes by its numbers");
    Files.writeString(
        sweep,
        texts.replace("rows: 400}", "rows: 400}\n  unit: {column: who, rows: 4, people: 200}"));
    CommandRun.of("validate", sweep.toString()).succeeded();
    String pictures = "path: rows, format: images, size: 8, channels: 1";
    String list = "classes: [a, b, c]";
    Files.writeString(
        sweep,
        text.replace("path: private.csv, format: csv, classes: 3", pictures + ", " + list)
            .replaceAll("features:.*\n", ""));
    assertThat(CommandRun.of("validate", sweep.toString()).toldWhy(ExitCode.INVALID))
        .contains("data.holdOut needs a unit: a row goes by its numbers");
  }

  @Test
  void rowsThatAreReplaced_orNeedNoProtection_areNotHeldOut() throws IOException {
    Path sweep = sweep(HELD, "");
    String text = Files.readString(sweep);
    Files.writeString(sweep, text.replace("1.0e-5}", "1.0e-5, adjacency: replace-one}"));
    assertThat(CommandRun.of("validate", sweep.toString()).toldWhy(ExitCode.INVALID))
        .contains("a unit in another's place may change sides");
    Files.writeString(sweep, text.replace("rows: 400}", "rows: 400, declared: simulated}"));
    assertThat(CommandRun.of("validate", sweep.toString()).toldWhy(ExitCode.INVALID))
        .contains("data.holdOut keeps its rows private");
  }
}
