package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource({
    "macro-f1, noisy counts of private training rows by their class and by what the model says",
    "{recall: 2}, four noisy counts of private training rows",
    "{f1: 0}, from which F1 of class 0 follows",
    "auc, by bins of how sure the model is of each class",
    "log-loss, 1 - log loss / 10 bits",
  })
  void everyMetric_isReleasedByItsCounts_whichTheStatementNames(String metric, String named)
      throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search(
                "{strategy: grid, points: {values: 2}"
                    + SPACE.replace("balanced-accuracy", metric)
                    + "}");
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = json(run, "statement.json");
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("scoring").asString()).contains(named);
    JsonNode result = json(run, "result.json");
    assertThat(result.path("trials")).hasSize(2);
    result.path("trials").forEach(trial -> assertThat(trial.has("score")).isTrue());
    String study = result.path("study").asString();
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      assertThat(store.release(study, "score 1")).isPresent();
    }
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  /**
   * A study that was stopped between the release of counts and the score that follows from them.
   */
  @Test
  void countsThatWereReleased_giveTheirScoreAfterAStop() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder).search("{strategy: grid, points: {values: 2}" + SPACE + "}");
    CommandRun run = CommandRun.run(sweep).succeeded();
    String study = json(run, "result.json").path("study").asString();
    double score = json(run, "result.json").path("trials").get(0).path("score").asDouble();
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      double[] cells = store.release(study, "score 1").orElseThrow().values().orElseThrow();
      assertThat(cells).hasSize(6);
      StoredCharge charge = store.charge(study, "score 1").orElseThrow();
      double sigma = ((Gaussian) charge.charge().mechanism()).sigma().value();
      double sum = 0;
      for (int c = 0; c < 6; c += 2) {
        double right = Math.max(0, cells[c]);
        sum += (right + sigma / 2) / (right + Math.max(0, cells[c + 1]) + sigma);
      }
      assertThat(score).isCloseTo(sum / 3, within(1e-12));
    }
  }

  /** Two families, each charged: the second is a histogram for each of three classes. */
  @ParameterizedTest
  @ValueSource(strings = {"add-remove", "replace-one"})
  void privateTestRows_areCountedByHowSureTheModelIs_inAChargeOfTheirOwn(String adjacency)
      throws IOException {
    SmallSweep sweep = tested("[confusion, probabilities]");
    CommandRun run = withPrivateTest(sweep, adjacency).succeeded();

    JsonNode bins = json(run, "result.json").path("privateFigures").path("probabilities");
    assertThat(bins.path("classes")).hasSize(3);
    // Noise may leave no row in any bin, where both ends are 0.
    assertThat(bins.path("logLoss").path("high").isNumber()).isTrue();
    assertThat(bins.path("logLoss").path("high").asDouble())
        .isGreaterThanOrEqualTo(bins.path("logLoss").path("low").asDouble());
    assertThat(bins.path("classes").get(0).path("bins")).hasSize(10);
    assertThat(json(run, "result.json").has("privateTest")).isTrue();
    Map<String, Double> squares = new HashMap<>();
    for (JsonNode charge : json(run, "statement.json").path("charges")) {
      double sensitivity = charge.path("parameters").path("sensitivity").asDouble();
      squares.put(charge.path("what").asString(), sensitivity * sensitivity);
    }
    double one = adjacency.equals("add-remove") ? 1 : 2;
    assertThat(squares.get("test score")).isCloseTo(one, within(1e-12));
    assertThat(squares.get("test probabilities")).isCloseTo(3 * one, within(1e-12));
    assertThat(json(run, "statement.json").path("released").toString())
        .contains("by bins of how sure the final model is of each class");
    assertThat(run.out()).contains("area under the ROC curve");
    assertThat(Files.readString(run.folder().resolve("report.html"))).contains("Brier score");
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  private SmallSweep tested(String test) throws IOException {
    return SmallSweep.in(folder)
        .search(
            "{strategy: grid, points: {values: 2}"
                + SPACE.replace("epsilon: 0.3", "epsilon: 0.3, test: " + test)
                + "}");
  }

  private static CommandRun withPrivateTest(SmallSweep sweep, String adjacency) throws IOException {
    Path file = Path.of(sweep.command("run")[1]);
    Files.writeString(
        file,
        Files.readString(file)
            .replace("delta: 1.0e-5", "delta: 1.0e-5, adjacency: " + adjacency)
            .replace("{path: test.csv}", "{path: test.csv, private: true, rows: 100}"));
    return CommandRun.of("run", file.toString(), "--output", sweep.runs().toString());
  }

  /** One number was released, and which class has most rows is not known. */
  @Test
  void theAccuracyOfPrivateTestRows_hasItsInterval() throws IOException {
    CommandRun run = withPrivateTest(tested("accuracy"), "add-remove").succeeded();
    JsonNode accuracy = json(run, "result.json").path("privateFigures").path("accuracy");
    assertThat(accuracy.path("low").asDouble()).isLessThan(accuracy.path("high").asDouble());
    assertThat(accuracy.path("baseline").asDouble()).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(run.out()).contains("which class has most rows is not known");
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

  /** A row is in one of nine cells. */
  @ParameterizedTest
  @ValueSource(strings = {"add-remove", "replace-one"})
  void privateTestRows_areCountedByClassAndByWhatTheModelSays_inOneCharge(String adjacency)
      throws IOException {
    SmallSweep sweep = tested("confusion");
    CommandRun run = withPrivateTest(sweep, adjacency).succeeded();

    JsonNode result = json(run, "result.json");
    assertThat(result.has("test")).as("exact figures of private rows").isFalse();
    JsonNode test = result.path("privateTest");
    assertThat(test.path("rows").asInt()).isEqualTo(100);
    assertThat(test.path("confusion").size()).isEqualTo(3);
    double right = 0;
    for (int c = 0; c < 3; c++) {
      right += test.path("confusion").get(c).get(c).asDouble();
      JsonNode recall = test.path("classes").get(c).path("recall");
      assertThat(recall.path("low").asDouble()).isLessThan(recall.path("high").asDouble());
    }
    // Rounded to six digits each.
    assertThat(result.path("testAccuracy").asDouble()).isCloseTo(right / 100, within(1e-7));
    JsonNode charges = json(run, "statement.json").path("charges");
    JsonNode charge = charges.get(charges.size() - 1);
    assertThat(charge.path("what").asString()).isEqualTo("test score");
    assertThat(charge.path("parameters").path("sensitivity").asDouble())
        .isEqualTo(adjacency.equals("add-remove") ? 1 : Math.nextUp(Math.sqrt(2)));
    assertThat(charge.path("parameters").path("sigma").asDouble())
        .isEqualTo(test.path("noise").asDouble());
    assertThat(json(run, "statement.json").path("released").toString())
        .contains(
            "noisy counts of private test rows by their class and by what the final model says");
    assertThat(run.out()).contains("private test rows, as stated, by counts with noise");
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  private static CommandRun resume(SmallSweep sweep) {
    return CommandRun.of(sweep.command("resume"));
  }

  /** A study whose test rows cannot be read, so that it ends after the charge for them. */
  private SmallSweep stoppedAtItsTest(byte[] unreadable) throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .packed()
            .search(
                "{strategy: grid, points: {values: 2}"
                    + SPACE.replace("epsilon: 0.3", "epsilon: 0.3, test: confusion")
                    + "}");
    Path file = Path.of(sweep.command("run")[1]);
    Files.writeString(
        file,
        Files.readString(file)
            .replace("rows: 400", "rows: 400, features: 5")
            .replace("{path: test.csv.gz}", "{path: test.csv.gz, private: true, rows: 100}"));
    Files.write(sweep.testRows(), unreadable);
    CommandRun stopped =
        CommandRun.of("run", file.toString(), "--no-check", "--output", sweep.runs().toString());
    assertThat(stopped.out()).isEmpty();
    assertThat(stopped.toldWhy(ExitCode.INVALID)).contains("has stopped;", "test.csv.gz: ");
    return sweep;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsOfTestRows_areAskedOnceTheRowsCanBeRead_butNotAgainOnceThatWasBegun(boolean begun)
      throws Exception {
    byte[] cutOff = {0x1f, (byte) 0x8b, 8, 0};
    SmallSweep sweep = stoppedAtItsTest(cutOff);
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      String study = store.studies().get(0).id();
      assertThat(store.charge(study, "test score")).isPresent();
      if (begun) {
        store.beginRelease(study, "test score");
      }
    }
    SmallSweep.writeRows(sweep.testRows(), 100, 5, 2);
    CommandRun resumed = resume(sweep).succeeded();
    JsonNode result = json(resumed, "result.json");
    assertThat(result.has("privateTest")).isEqualTo(!begun);
    assertThat(result.has("testAccuracy")).isEqualTo(!begun);
    assertThat(resumed.err().contains("test score was lost in a crash")).isEqualTo(begun);
    CommandRun.of(sweep.command("audit")).succeeded();
  }
}
