package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.numbers.gamma.Erfc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Studies by the methods that papers compare themselves with, run by the command line; what their
 * statements say is computed again from the charges by formulas of this test's own.
 */
@Timeout(240)
class ClassicStudiesTest {
  private static final double EPSILON = 2;
  private static final double DELTA = 1e-5;
  private static final int SHOWN = 40;

  @TempDir Path folder;

  /** Rows of 5 features around one centre for each of two classes. */
  private void writeRows(String name, int rows, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      int label = row % 2;
      for (int j = 0; j < 5; j++) {
        double value = (j % 2 == label ? 0.5 : -0.2) + random.nextGaussian() / 10;
        text.append(String.format(Locale.ROOT, "%.6f,", value));
      }
      text.append(label).append('\n');
    }
    Files.writeString(folder.resolve(name), text);
  }

  private Path write(String train, String space, String adjacency, boolean shown)
      throws IOException {
    writeRows("private.csv", 400, 1);
    writeRows("test.csv", 100, 2);
    writeRows("public.csv", SHOWN, 3);
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: classic
        data:
          private: {path: private.csv, format: csv, features: 5, classes: 2, rows: 400}
          test: {path: test.csv}%s
        budget: {epsilon: %s, delta: %s, adjacency: %s}
        search: {strategy: fixed%s}
        train: {%s}
        """
            .formatted(
                shown ? "\n  public: {path: public.csv, rows: " + SHOWN + "}" : "",
                EPSILON,
                DELTA,
                adjacency,
                space.isEmpty() ? "" : ", space: {" + space + "}",
                train));
  }

  private CommandRun run(Path sweep) {
    return CommandRun.of("run", sweep.toString(), "--output", folder.resolve("runs").toString());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "dp-adam-wosm,\"samplingRate: 1, loss: logistic\",steps: 60,add-remove,false,60",
        "sgd-adv,\"samplingRate: 1, weightDecay: 0.01\",\"learningRate: 1, steps: 50\",replace-one,false,50",
        "dp-zo,\"loss: logistic, smoothing: 0.01\",\"learningRate: 0.5, steps: 50\",replace-one,false,50",
        "ppgd,\"learningRate: 1, firstShare: 0.02, reuse: 0.1\",,add-remove,true,1",
        "output-perturbation,\"weightDecay: 0.1, loss: huber-hinge\",,replace-one,false,1",
        "pate,\"teachers: 4, threshold: 2, answers: 30, weightDecay: 0.01\",,add-remove,true,1",
      })
  void gaussianOnes_stateTheEpsilonOfTheirMu(
      String method, String train, String space, String adjacency, boolean shown, long count)
      throws Exception {
    JsonNode charge = finished(method, train, space, adjacency, shown);
    assertThat(charge.path("mechanism").asString()).isEqualTo("gaussian");
    JsonNode numbers = charge.path("parameters");
    assertThat(charge.path("count").asLong()).isEqualTo(count);
    double mu =
        numbers.path("sensitivity").asDouble()
            / numbers.path("sigma").asDouble()
            * Math.sqrt((double) count);
    // The budget is used up to calibration's and the closed form's last digits.
    assertThat(gaussianDelta(mu, EPSILON)).isBetween(DELTA * (1 - 1e-8), DELTA * (1 + 1e-10));
    assertThat(stated).isBetween(EPSILON * (1 - 1e-8), EPSILON);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "agd,loss: logistic,,add-remove,false",
        "agd,candidates: 5,,replace-one,false",
        "pnsgd,\"learningRate: 0.01, loss: logistic\",,replace-one,false",
        "pnsgd,\"learningRate: 0.01, loss: logistic, publicPasses: 3\",,replace-one,true",
        "ppsgd,\"learningRate: 0.5, batchSize: 20, firstShare: 0.005\",,replace-one,true",
      })
  void concentratedOnes_stateAnEpsilonOfTheirRho(
      String method, String train, String space, String adjacency, boolean shown) throws Exception {
    JsonNode charge = finished(method, train, space, adjacency, shown);
    JsonNode numbers = charge.path("parameters");
    double rho = numbers.path("rho").asDouble();
    double omega =
        numbers.has("omega") ? numbers.path("omega").asDouble() : Double.POSITIVE_INFINITY;
    assertThat(charge.path("count").asLong()).isEqualTo(1);
    assertThat(stated).isBetween(EPSILON * (1 - 1e-6), EPSILON);
    // A Gaussian of that rho is one such mechanism: no bound may be below it.
    assertThat(gaussianDelta(Math.sqrt(2 * rho), stated)).isLessThan(DELTA);
    // Nor is any needed above the best order of the textbook conversion; a step of 1e-4 in the
    // order's logarithm leaves less than 1e-6 of it.
    assertThat(stated).isCloseTo(concentratedEpsilon(rho, omega), within(2e-6));
  }

  @ParameterizedTest
  @CsvSource({"add-remove", "replace-one"})
  void outputPerturbationOfExponentialNoise_statesAnEpsilonOfItsOwn(String adjacency)
      throws Exception {
    JsonNode charge =
        finished(
            "output-perturbation",
            "weightDecay: 0.1, loss: logistic, noise: exponential",
            "",
            adjacency,
            false);
    assertThat(charge.path("mechanism").asString()).isEqualTo("pure-dp");
    assertThat(charge.path("count").asLong()).isEqualTo(1);
    double own = charge.path("parameters").path("epsilon").asDouble();
    // One ε₀-DP release is (ε, δ)-DP only from ln((1 − δ)e^ε₀ − δ) on (Murtagh and Vadhan 2016).
    double least = Math.log((1 - DELTA) * Math.exp(own) - DELTA);
    assertThat(stated).isBetween(least * (1 - 1e-9), own);
    assertThat(stated).isBetween(EPSILON * (1 - 1e-6), EPSILON);
  }

  @Test
  void objectivePerturbation_statesTheEpsilonAndDeltaOfItsOnlyRelease() throws Exception {
    JsonNode charge =
        finished(
            "objective-perturbation", "weightDecay: 0.1, loss: logistic", "", "add-remove", false);
    assertThat(charge.path("mechanism").asString()).isEqualTo("approximate-dp");
    assertThat(charge.path("parameters").path("delta").asDouble()).isEqualTo(DELTA);
    assertThat(charge.path("parameters").path("epsilon").asDouble()).isEqualTo(stated);
    assertThat(stated).isBetween(EPSILON * (1 - 1e-6), EPSILON);
  }

  private double stated;

  /** Runs it, audits it, uses it, and gives its only charge. */
  private JsonNode finished(
      String method, String train, String space, String adjacency, boolean shown) throws Exception {
    Path sweep =
        write("method: " + method + ", " + train, space == null ? "" : space, adjacency, shown);
    assertThat(CommandRun.of("plan", sweep.toString()).succeeded().out()).contains(method, "final");
    CommandRun ran = run(sweep).succeeded();
    // It follows from r = ηT, which none of these methods has.
    assertThat(ran.out()).contains("Final run: ").doesNotContain("logit noise");
    Path study = ran.folder();
    String runs = folder.resolve("runs").toString();
    assertThat(CommandRun.of("audit", "--output", runs).succeeded().out())
        .contains("Everything agrees");
    assertThat(
            CommandRun.of("predict", study.toString(), folder.resolve("test.csv").toString())
                .succeeded()
                .out()
                .lines())
        .hasSizeGreaterThanOrEqualTo(100);
    JsonNode result = Json.read(Files.readString(study.resolve("result.json")));
    assertThat(result.path("method").asString()).isEqualTo(method);
    assertThat(result.path("testAccuracy").isNumber()).isTrue();
    JsonNode statement = Json.read(Files.readString(study.resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("adjacency").asString()).isEqualTo(adjacency);
    assertThat(statement.path("charges").size()).isEqualTo(1);
    stated = statement.path("epsilon").asDouble();
    return statement.path("charges").get(0);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "dp-adam-wosm,samplingRate: 0.1,steps: 60",
        "sgd-adv,batchSize: 40,\"learningRate: 0.5, steps: 60\"",
      })
  void sampledOnes_stateNoMoreThanRenyiDpKnows(String method, String train, String space)
      throws Exception {
    JsonNode charge = finished(method, train, space, "add-remove", false);
    assertThat(charge.path("mechanism").asString()).isEqualTo("subsampled-gaussian");
    assertThat(charge.path("count").asLong()).isEqualTo(60);
    assertThat(charge.path("parameters").path("samplingRate").asDouble()).isEqualTo(0.1);
    // Seven digits of sigma are kept, rounded up.
    assertThat(stated).isBetween(EPSILON * (1 - 1e-4), EPSILON);
    double renyi = renyiEpsilon(charge.path("parameters").path("sigma").asDouble(), 0.1, 60);
    // Rényi DP is an upper bound of its own; composed losses gain some tenths on it, no more.
    assertThat(stated).isBetween(0.7 * renyi, renyi);
  }

  /** By whole orders: the sampled Gaussian's moments are binomial sums (Mironov et al. 2019). */
  private static double renyiEpsilon(double sigma, double rate, int steps) {
    double least = Double.POSITIVE_INFINITY;
    for (int order = 2; order <= 64; order++) {
      double moment = 0;
      double binomial = 1;
      for (int k = 0; k <= order; k++) {
        moment +=
            binomial
                * Math.pow(1 - rate, order - k)
                * Math.pow(rate, k)
                * Math.exp((double) k * (k - 1) / (2 * sigma * sigma));
        binomial = binomial * (order - k) / (k + 1);
      }
      double epsilon =
          steps * Math.log(moment) / (order - 1)
              + Math.log1p(-1.0 / order)
              - (Math.log(DELTA) + Math.log(order)) / (order - 1);
      least = Math.min(least, epsilon);
    }
    return least;
  }

  /** Their budget is one charge, whatever number of steps it pays for. */
  @ParameterizedTest
  @CsvSource({"ppgd,''", "ppsgd,', batchSize: 20'"})
  void aRunWithABudgetOfItsOwn_goesOnWhereItWasInterrupted(String method, String more)
      throws Exception {
    String train =
        "method: " + method + ", learningRate: 0.01, firstShare: 0.0003, rhoGrowth: 0" + more;
    Path sweep = write(train, "", "replace-one", true);
    String runs = folder.resolve("runs").toString();
    Interruption interruption = new Interruption();
    Thread stopping = new Thread(() -> requestOnceBegun(interruption, 300));
    stopping.start();
    CommandRun.of(interruption, "run", sweep.toString(), "--output", runs)
        .failedWith(ExitCode.INTERRUPTED);
    stopping.join();
    assertThat(CommandRun.of("audit", "--output", runs).succeeded().out())
        .contains("Everything agrees");
    Path study = CommandRun.of("resume", "--output", runs).succeeded().folder();
    JsonNode statement = Json.read(Files.readString(study.resolve("statement.json")));
    assertThat(statement.path("charges").size()).isEqualTo(1);
    assertThat(statement.path("epsilon").asDouble()).isBetween(EPSILON * (1 - 1e-6), EPSILON);
    try (StoreView store = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      assertThat(store.stepsBegun()).isGreaterThan(3000);
      assertThat(store.stepsLost()).isZero();
    }
    assertThat(CommandRun.of("audit", "--output", runs).succeeded().out())
        .contains("Everything agrees");
  }

  private void requestOnceBegun(Interruption interruption, long steps) {
    Path file = folder.resolve("runs").resolve(StoreOption.FILE);
    while (!Files.exists(file)) {
      MutuneProcess.pause();
    }
    try (StoreView store = StoreView.of(file)) {
      while (!store.hasStudy() || store.stepsBegun() < steps) {
        MutuneProcess.pause();
      }
      interruption.request();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void otherPublicRowsThanStated_areRefusedBeforeAnyCharge() throws Exception {
    Path sweep = write("method: pate, teachers: 4, threshold: 2", "", "add-remove", true);
    writeRows("public.csv", SHOWN + 1, 3);
    assertThat(run(sweep).failedWith(ExitCode.INVALID))
        .contains("train: data.public has 41 rows and not the 40 that it states");
    try (StoreView store = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      assertThat(store.charges()).isEmpty();
    }
  }

  /** One row more would decide whether they fit: teachers, and the maps of each thread. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pate, teachers: 1000000, threshold: 2 | {type: random-fourier, features: 200, gamma: 1}",
        "output-perturbation, weightDecay: 0.1, loss: huber-hinge"
            + " | {type: random-fourier, features: 4000, gamma: 1},"
            + " {type: random-fourier, features: 65536, gamma: 1}",
      })
  void whatMemoryBarelyHolds_isRefusedBeforeAnyCharge(String method, String maps) throws Exception {
    boolean shown = method.startsWith("pate");
    Path sweep = write("method: " + method, "", shown ? "add-remove" : "replace-one", shown);
    Files.writeString(
        sweep, Files.readString(sweep).replace("budget:", "features: [" + maps + "]\nbudget:"));
    assertThat(run(sweep).failedWith(ExitCode.INVALID)).contains("GB of Java's heap");
    try (StoreView store = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      assertThat(store.charges()).isEmpty();
    }
  }

  /** Each step takes 25 times of the weights from them. */
  @Test
  void aModelThatDiverges_isZero_andSoAFigureThatAuditsAgreeWith() throws Exception {
    Path sweep =
        write(
            "method: noisy-gd, loss: logistic, weightDecay: 5000",
            "learningRate: 2, steps: 500",
            "add-remove",
            false);
    CommandRun run = run(sweep).succeeded();
    assertThat(run.err()).contains("final diverged: its model is 0; lower its learning rate");
    Path study = run.folder();
    assertThat(NpzFile.read(study.resolve("model.npz")).get("weights").values()).containsOnly(0);
    CommandRun.of("verify", study.toString()).succeeded();
    CommandRun.of("audit", "--output", folder.resolve("runs").toString()).succeeded();
  }

  @Test
  void settingsThatBreakATheorem_areRefusedByThePlan() throws Exception {
    Path sweep =
        write(
            "method: ppsgd, learningRate: 1, batchSize: 20, firstShare: 1",
            "",
            "replace-one",
            true);
    assertThat(refusedByThePlan(sweep))
        .contains("classic: train: ppsgd's theorem 4 does not hold", "rho_s = 3.33 is above 0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ppgd, learningRate: 1, firstShare: 1.0e-11 | firstShare must be at least 5.0E-10",
        "ppsgd, learningRate: 1, batchSize: 20, firstShare: 1.0e-11 | firstShare must be at least",
        "agd, searchShare: 1.0e-11 | the least of searchShare and growth times",
      })
  void moreStepsThanCanBeCounted_areRefusedByThePlan(String train, String why) throws Exception {
    Path sweep = write("method: " + train, "", "replace-one", !train.startsWith("agd"));
    assertThat(refusedByThePlan(sweep)).contains("classic: train: " + why);
  }

  /** The message names the key and a limit, with which there is a run. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pnsgd, loss: logistic, | learningRate | 100",
        "pnsgd, loss: logistic, weightDecay: 0.3, | learningRate | 4",
        "objective-perturbation, loss: logistic, | weightDecay | 5.0e-5",
        "objective-perturbation, loss: logistic, weightDecay: 0.1, | solverDistance | 1.0e-9",
        "output-perturbation, loss: logistic, weightDecay: 0.1, | solverDistance | 1.0e-9",
        "output-perturbation, loss: logistic, weightDecay: 0.1, noise: exponential,"
            + " | solverDistance | 1.0e-15",
      })
  void aSettingWithWhichThereIsNoRun_isRefusedByThePlanWithALimitThatIsTaken(
      String method, String key, String value) throws Exception {
    String train = "method: " + method + " " + key + ": ";
    String why = refusedByThePlan(write(train + value, "", "replace-one", false));
    Matcher limit =
        Pattern.compile("classic: train: " + key + " must be at (?:least|most) ([0-9.e-]+)[,:] ")
            .matcher(why);
    assertThat(limit.find()).as(why).isTrue();
    Path taken = write(train + limit.group(1), "", "replace-one", false);
    CommandRun.of("plan", taken.toString()).succeeded();
    run(taken).succeeded();
  }

  private String refusedByThePlan(Path sweep) {
    String why = CommandRun.of("validate", sweep.toString()).toldWhy(ExitCode.INVALID);
    for (CommandRun refused : List.of(CommandRun.of("plan", sweep.toString()), run(sweep))) {
      assertThat(refused.toldWhy(ExitCode.INVALID)).isEqualTo(why);
    }
    assertThat(folder.resolve("runs")).doesNotExist();
    return why;
  }

  private static double gaussianDelta(double mu, double epsilon) {
    return tail(epsilon / mu - mu / 2) - Math.exp(epsilon) * tail(epsilon / mu + mu / 2);
  }

  private static double tail(double z) {
    return Erfc.value(z * Math.sqrt(0.5)) / 2;
  }

  /** The least over orders below omega of rho a + ln(1 - 1/a) - (ln delta + ln a)/(a - 1). */
  private static double concentratedEpsilon(double rho, double omega) {
    DoubleUnaryOperator at =
        a -> rho * a + Math.log1p(-1 / a) - (Math.log(DELTA) + Math.log(a)) / (a - 1);
    double least = Double.POSITIVE_INFINITY;
    for (double log = 1e-2; log < 7 && 1 + Math.exp(log) < omega; log += 1e-4) {
      least = Math.min(least, at.applyAsDouble(Math.exp(log)));
    }
    return least;
  }

  private static org.assertj.core.data.Offset<Double> within(double relative) {
    return org.assertj.core.data.Offset.offset(EPSILON * relative);
  }
}
