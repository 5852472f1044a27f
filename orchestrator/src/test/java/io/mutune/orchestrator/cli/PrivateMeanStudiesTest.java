package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Studies whose features are less a mean of the private rows, released once against a charge. */
@Timeout(240)
class PrivateMeanStudiesTest {
  private static final String MEAN = "{type: private-mean, epsilon: 0.4, clipNorm: 2}";
  private static final String FIXED = "strategy: fixed, space: {logitNoise: 1, steps: %d}";

  @TempDir Path folder;

  private Path sweep(String features, String search, String train, String noise)
      throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("test.csv"), 200, 5, 3);
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: centred
        data:
          private: {path: private.csv, format: csv, classes: 3, rows: 400, features: 5}
          test: {path: test.csv}
        features: [%s]
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {%s}
        train: {%s}
        run: {noise: %s}
        """
            .formatted(features, search, train, noise));
  }

  private Path usual(int steps) throws IOException {
    return sweep(
        "{type: scale, min: 0, max: 1}, " + MEAN + ", {type: l2-normalize}",
        FIXED.formatted(steps),
        "method: noisy-gd",
        "secure");
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  private Path storeFile() {
    return folder.resolve("runs").resolve(StoreOption.FILE);
  }

  private CommandRun run(Path sweep) {
    return CommandRun.of("run", sweep.toString(), "--output", runs());
  }

  private CommandRun resume() {
    return CommandRun.of("resume", "--output", runs());
  }

  private void requireAudited() {
    assertThat(CommandRun.of("audit", "--output", runs()).succeeded().out())
        .contains("Everything agrees");
  }

  private static JsonNode json(Path study, String name) throws IOException {
    return Json.read(Files.readString(study.resolve(name)));
  }

  /** The map in a model's pipeline, a value a feature. */
  private static double[] mean(Path study) throws IOException {
    for (JsonNode map : json(study, "model.json").path("features")) {
      if (map.path("type").asString().equals("private-mean")) {
        double[] mean = new double[map.size() - 1];
        for (int i = 0; i < mean.length; i++) {
          mean[i] = map.path(Integer.toString(i)).asDouble();
        }
        return mean;
      }
    }
    throw new AssertionError("no mean in the model's pipeline");
  }

  private double[] stored() {
    try (StudyStore store = Stores.openExisting(storeFile())) {
      return store
          .release(store.studies().get(0).id(), "private mean")
          .flatMap(StoredRelease::values)
          .orElseThrow();
    }
  }

  /** What the model says of the test rows, through the pipeline of model.json, is its accuracy. */
  private void requirePredictsAsTested(Path study) throws IOException {
    JsonNode predictions =
        Json.read(
                CommandRun.of(
                        "predict",
                        study.toString(),
                        folder.resolve("test.csv").toString(),
                        "--format",
                        "json")
                    .succeeded()
                    .out())
            .path("predictions");
    List<String> lines = Files.readAllLines(folder.resolve("test.csv"));
    int right = 0;
    for (int i = 0; i < lines.size(); i++) {
      String label = lines.get(i).substring(lines.get(i).lastIndexOf(',') + 1);
      right += predictions.get(i).path("class").asString().equals(label) ? 1 : 0;
    }
    assertThat(json(study, "result.json").path("testAccuracy").asDouble())
        .isEqualTo((double) right / lines.size());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "noisy-gd,\"strategy: fixed, space: {logitNoise: 1, steps: 30}\",2",
        "dp-sgd,\"strategy: fixed, space: {logitNoise: 1, steps: 30}\",2",
        "noisy-gd,\"strategy: scale-free, space: {steps: 30}, sweeps: [{epsilon: 0.3, trials: 2}], score: {on: private, epsilon: 0.2}\",6",
      })
  void itsChargeIsInThePlanTheLedgerTheStatementAndTheAudit(
      String method, String search, int charges) throws Exception {
    String train = "method: " + method + (method.equals("dp-sgd") ? ", samplingRate: 0.2" : "");
    Path sweep = sweep(MEAN + ", {type: l2-normalize}", search, train, "secure");
    assertThat(CommandRun.of("plan", sweep.toString()).succeeded().out()).contains("private mean");
    Path study = run(sweep).succeeded().folder();
    JsonNode statement = json(study, "statement.json");
    assertThat(statement.path("charges").size()).isEqualTo(charges);
    JsonNode charge = statement.path("charges").get(0);
    assertThat(charge.path("what").asString()).isEqualTo("private mean");
    assertThat(charge.path("mechanism").asString()).isEqualTo("gaussian");
    assertThat(charge.path("count").asLong()).isEqualTo(1);
    double sigma = charge.path("parameters").path("sigma").asDouble();
    assertThat(charge.path("parameters").path("sensitivity").asDouble()).isEqualTo(1);
    assertThat(charge.path("mu").asDouble()).isBetween(1 / sigma, 1 / sigma * (1 + 1e-15));
    assertThat(statement.path("epsilon").asDouble()).isBetween(1.99, 2.0);
    assertThat(statement.path("released").toString()).contains("the mean of the rows");
    assertThat(json(study, "result.json").path("privateMean").asString()).isEqualTo("released");
    assertThat(mean(study)).isEqualTo(stored()).hasSize(5).doesNotContain(0.0);
    requireAudited();
    requirePredictsAsTested(study);
  }

  /**
   * Rows lie around 0.8 and 0.3 and are 5 values of norm below 2, so nothing is clipped; noise on a
   * value of the mean has deviation 2σ/400. Being off by ten of it happens by chance 1e-22 of the
   * time.
   */
  @Test
  void itIsTheMeanOfTheRows_butForItsNoise() throws Exception {
    Path study = run(usual(5)).succeeded().folder();
    double sigma =
        json(study, "statement.json")
            .path("charges")
            .get(0)
            .path("parameters")
            .path("sigma")
            .asDouble();
    double[] sum = new double[5];
    for (String line : Files.readAllLines(folder.resolve("private.csv"))) {
      String[] cells = line.split(",", -1);
      for (int j = 0; j < 5; j++) {
        sum[j] += Double.parseDouble(cells[j]);
      }
    }
    double[] mean = mean(study);
    boolean exact = true;
    for (int j = 0; j < 5; j++) {
      assertThat(mean[j])
          .isBetween(sum[j] / 400 - 10 * 2 * sigma / 400, sum[j] / 400 + 20 * sigma / 400);
      exact &= Math.abs(mean[j] - sum[j] / 400) < 1e-6;
    }
    assertThat(exact).isFalse();
  }

  @Test
  void aModelWithAnotherMean_isFoundByItsVerification() throws Exception {
    Path study = run(usual(5)).succeeded().folder();
    CommandRun.of("verify", study.toString()).succeeded();
    Path described = study.resolve("model.json");
    String text = Files.readString(described);
    Files.writeString(described, text.replace("\"1\" : " + mean(study)[1], "\"1\" : 0.5"));
    CommandRun verified = CommandRun.of("verify", study.toString());
    assertThat(verified.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(verified.out()).contains("model.json's 'features' is not what follows");
  }

  @Test
  void acrossAKill_itIsReleasedOnceAndChargedOnce() throws Exception {
    Path sweep = usual(8000);
    double[] released;
    try (MutuneProcess process = MutuneProcess.start("run", sweep.toString(), "--output", runs());
        StoreView store = process.store(storeFile())) {
      process.until(() -> store.stepsBegun() > 300);
      assertThat(process.kill()).as("was still running").isTrue();
      released = stored();
      assertThat(store.charges()).containsExactly("private mean", "final");
    }
    requireAudited();
    Path study = resume().succeeded().folder();
    assertThat(mean(study)).isEqualTo(released);
    assertThat(stored()).isEqualTo(released);
    try (StoreView store = StoreView.of(storeFile())) {
      assertThat(store.charges()).containsExactly("private mean", "final");
    }
    requireAudited();
    requirePredictsAsTested(study);
  }

  /** As if the process had died between the question and the answer. */
  @Test
  void aMeanThatWasLost_staysChargedAndIsNotAskedAgain() throws Exception {
    Path file = usual(5);
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read("usual.yaml", text, context));
    try (StudyStore store = Stores.open(storeFile())) {
      Study study = Study.create(plan, text, context, storeFile().resolveSibling(""));
      study.enter(store);
      store.move(study.id(), StudyState.RUNNING);
      Charge mean = plan.meanCharge().orElseThrow();
      store.reserve(study.id(), plan.filter(), mean);
      store.beginRelease(study.id(), mean.what());
    }
    CommandRun resumed = resume().succeeded();
    assertThat(resumed.err()).contains("private mean was lost in a crash");
    assertThat(mean(resumed.folder())).containsOnly(0.0).hasSize(5);
    assertThat(json(resumed.folder(), "result.json").path("privateMean").asString())
        .isEqualTo("lost");
    try (StoreView store = StoreView.of(storeFile())) {
      assertThat(store.charges()).containsExactly("private mean", "final");
      // That it is given up is kept, for whoever else runs the study.
      assertThat(store.number("SELECT count(*) FROM release WHERE vector IS NULL")).isZero();
      assertThat(store.number("SELECT count(*) FROM release")).isEqualTo(1);
    }
    requireAudited();
    requirePredictsAsTested(resumed.folder());
  }

  @Test
  void aChargeWhoseRowsCouldNotBeRead_isUsedOnceTheyCan() throws Exception {
    Path sweep = usual(5);
    Path rows = folder.resolve("private.csv");
    Path packed = folder.resolve("private.csv.gz");
    Files.writeString(sweep, Files.readString(sweep).replace("private.csv", "private.csv.gz"));
    byte[] cutOff = {0x1f, (byte) 0x8b, 8, 0};
    Files.write(packed, cutOff);
    CommandRun stopped = CommandRun.of("run", sweep.toString(), "--no-check", "--output", runs());
    assertThat(stopped.out()).isEmpty();
    assertThat(stopped.toldWhy(ExitCode.INVALID))
        .contains("has stopped;", "is truncated or damaged");
    try (StoreView store = StoreView.of(storeFile())) {
      assertThat(store.charges()).containsExactly("private mean");
      assertThat(store.number("SELECT count(*) FROM release")).isZero();
    }
    requireAudited();
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(rows, out);
    }
    Path study = resume().succeeded().folder();
    assertThat(json(study, "result.json").path("privateMean").asString()).isEqualTo("released");
    try (StoreView store = StoreView.of(storeFile())) {
      assertThat(store.charges()).containsExactly("private mean", "final");
    }
    requireAudited();
  }

  @Test
  void theAudit_findsAMeanWithoutItsCharge() throws Exception {
    run(usual(5)).succeeded();
    try (StoreView store = StoreView.of(storeFile())) {
      store.execute("DROP TRIGGER charge_is_never_refunded");
      store.execute("DELETE FROM charge WHERE what = 'private mean'");
    }
    CommandRun audit = CommandRun.of("audit", "--output", runs());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out())
        .contains("private mean may have read private rows but has no charge in the ledger");
  }

  /** √5·2^-20/2 = 1.0662e-6. */
  @Test
  void onAGrid_itsChargeContainsTheRoundingToo() throws Exception {
    Path sweep = sweep(MEAN, FIXED.formatted(5), "method: noisy-gd", "{grid: 20}");
    Path study = run(sweep).succeeded().folder();
    JsonNode charge = json(study, "statement.json").path("charges").get(0);
    assertThat(charge.path("parameters").path("sensitivity").asDouble())
        .isBetween(1.0000010662, 1.0000010663);
    for (double value : mean(study)) {
      // A sum over 400, both as doubles.
      double units = value * 400 * 0x1p20;
      assertThat(units).isBetween(Math.rint(units) - 1e-4, Math.rint(units) + 1e-4);
    }
    requireAudited();
  }

  @Test
  void whatIsNotSaidOfIt_isAskedForBeforeAnythingIsRead() throws Exception {
    String bare = "{type: private-mean}";
    assertThat(run(sweep(bare, FIXED.formatted(5), "method: noisy-gd", "secure")).err())
        .contains("features[0].epsilon is missing", "features[0].clipNorm is missing");
    assertThat(
            run(sweep(MEAN + ", " + MEAN, FIXED.formatted(5), "method: noisy-gd", "secure")).err())
        .contains("features[1].type must be given once");
    Path unstated = sweep(MEAN, FIXED.formatted(5), "method: noisy-gd", "secure");
    Files.writeString(unstated, Files.readString(unstated).replace(", features: 5}", "}"));
    assertThat(run(unstated).err()).contains("features[0].type needs data.private to state");
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  /** Each compared study pays for a mean of its own out of the one total. */
  @Test
  void aComparison_chargesTheMeanInEveryStudy_andTakesNoSecretStrategy() throws IOException {
    Path sweep = usual(20);
    Files.writeString(
        sweep, Files.readString(sweep).replace("classes: 3", "declared: public, classes: 3"));

    compare(sweep, "fixed,grid,scale-free").succeeded();

    JsonNode strategies = json(folder, "compared.json").path("strategies");
    assertThat(strategies.size()).isEqualTo(3);
    double share = Math.pow(mu(0.4) / mu(2), 2);
    assertThat(strategies.get(0).path("tuningShare").asDouble()).isCloseTo(share, within(1e-6));
    for (JsonNode one : strategies) {
      assertThat(one.path("epsilon").asDouble()).isBetween(2 * (1 - 1e-5), 2.0);
      assertThat(one.path("guarantee").asString()).isEqualTo("holds");
    }
    assertThat(compare(sweep, "fixed,random-stopping").failedWith(ExitCode.INVALID))
        .contains("random-stopping must not be with a private-mean");
  }

  private static double mu(double epsilon) {
    return GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(1e-5)).mu().value();
  }

  private CommandRun compare(Path sweep, String strategies) {
    String out = folder.resolve("compared.json").toString();
    return CommandRun.of(
        "compare",
        sweep.toString(),
        "--repeat",
        "2",
        "--looks",
        "1",
        "--output",
        out,
        "--with",
        strategies);
  }
}
