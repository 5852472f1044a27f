package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A study on real targets, from its sweep to a prediction. */
class RegressionStudyTest {
  private static final String SWEEP =
      """
      version: 1
      name: prices
      data:
        private:
          path: train.csv
          format: csv
          target: {min: 100, max: 300}
          rows: 4000
          declared: simulated
        test: {path: test.csv}
      budget: {epsilon: 2.0, delta: 1.0e-5}
      search:
        strategy: scale-free
        space: {steps: 60}
        sweeps: [{epsilon: 0.3, trials: 2}]
        score: {on: private, epsilon: 0.1}
      train: {clipNorm: 1.0}
      run: {noise: {seed: 3}}
      """;

  /** Targets from 110 to 290 that are linear in two columns, and a column of ones. */
  private static void write(Path file, int rows, int shift) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = shift; i < rows + shift; i++) {
      double a = Math.sin(i) * 0.6;
      double b = Math.cos(2.3 * i) * 0.6;
      text.append(String.format(Locale.ROOT, "%.6f,%.6f,0.5,%.3f%n", a, b, 200 + 75 * (a + b)));
    }
    Files.writeString(file, text.toString());
  }

  /**
   * Without learning anything the error is that of 200, about 45. Seeded, so it repeats; the bound
   * is a third of that.
   */
  @Test
  void realTargets_areLearnedAndTheErrorIsInTheirUnit(@TempDir Path folder) throws IOException {
    write(folder.resolve("train.csv"), 4000, 0);
    write(folder.resolve("test.csv"), 500, 10_000);
    Path sweep = Files.writeString(folder.resolve("prices.yaml"), SWEEP);
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", folder.resolve("runs").toString())
            .succeeded();
    assertThat(run.out()).contains("Test error: ").doesNotContain("accuracy");
    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("a noisy sum over private training rows of 1 - |prediction - target|")
        .doesNotContain("correct rows", "accuracy");
    ObjectNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    assertThat(result.has("testAccuracy")).isFalse();
    assertThat(result.get("testError").asDouble()).isBetween(0.0, 15.0);
    ObjectNode model = Json.read(Files.readString(run.folder().resolve("model.json")));
    assertThat(model.get("target").get("max").asDouble()).isEqualTo(300);
    assertThat(model.get("loss").asString()).isEqualTo("squared");

    Path rows = Files.writeString(folder.resolve("new.csv"), "0.6,0.6,0.5\n-0.6,-0.6,0.5\n");
    String predicted =
        CommandRun.of("predict", run.folder().toString(), rows.toString(), "--format", "json")
            .succeeded()
            .out();
    var predictions = Json.read(predicted).get("predictions");
    assertThat(predictions.get(0).get("target").asDouble()).isBetween(245.0, 300.0);
    assertThat(predictions.get(1).get("target").asDouble()).isBetween(100.0, 155.0);

    CommandRun.of("verify", run.folder().toString()).succeeded();
    Path figures = run.folder().resolve("result.json");
    Files.writeString(figures, Json.write(result.put("testError", 0.5)));
    CommandRun verified = CommandRun.of("verify", run.folder().toString());
    assertThat(verified.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(verified.out()).contains("result.json has a different test figure from the store's");
  }

  /** Private test rows: three sums in one charge, beside the closeness, which has its own. */
  @Test
  void squaredErrors_areChargedApart_andTunedFor(@TempDir Path folder) throws IOException {
    write(folder.resolve("train.csv"), 4000, 0);
    write(folder.resolve("test.csv"), 20_000, 10_000);
    Path sweep =
        Files.writeString(
            folder.resolve("prices.yaml"),
            SWEEP
                .replace("run: {noise: {seed: 3}}\n", "")
                .replace("epsilon: 2.0, delta", "epsilon: 4.0, delta")
                .replace("{path: test.csv}", "{path: test.csv, private: true, rows: 20000}")
                .replace(
                    "{on: private, epsilon: 0.1}",
                    "{on: private, epsilon: 0.5, test: [accuracy, squared-error]}\n"
                        + "  metric: squared-error"));
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", folder.resolve("runs").toString())
            .succeeded();
    ObjectNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    assertThat(result.path("scores").path("measure").asString()).isEqualTo("squared-error");
    var figures = result.path("privateFigures");
    var square = figures.path("squares").path("meanSquaredError");
    double error = square.path("value").asDouble();
    // Saying 200 has 75² · 0.36 = 2025; the noise of a mean is about 200²·σ/20000, and σ below 50.
    assertThat(error).isBetween(0.0, 1000.0);
    assertThat(square.path("low").asDouble()).isLessThanOrEqualTo(error);
    assertThat(square.path("high").asDouble()).isGreaterThan(error);
    assertThat(square.path("baseline").asDouble()).isBetween(1000.0, 3000.0);
    var absolute = figures.path("meanAbsoluteError");
    assertThat(absolute.path("value").asDouble())
        .isBetween(absolute.path("low").asDouble(), absolute.path("high").asDouble());
    CommandRun.of("card", run.folder().toString()).succeeded();
    assertThat(Files.readString(run.folder().resolve("card.md")))
        .containsPattern("mean absolute error [0-9.]+ \\([0-9.]+ to [0-9.]+\\)")
        .containsPattern("mean squared error [0-9.]+ \\([0-9.]+ to [0-9.]+\\), where the middle");
    CommandRun.of("verify", run.folder().toString()).succeeded();
    ObjectNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    double[] sensitivities = new double[2];
    for (var charge : statement.path("charges")) {
      double sensitivity = charge.path("parameters").path("sensitivity").asDouble();
      switch (charge.path("what").asString()) {
        case "test score" -> sensitivities[0] = sensitivity;
        case "test squared error" -> sensitivities[1] = sensitivity;
        default -> {}
      }
    }
    assertThat(sensitivities).containsExactly(1, Math.nextUp(Math.sqrt(3)));
    assertThat(statement.path("released").toString())
        .contains("three noisy sums over private test rows, charged as one");
    assertThat(statement.path("scoring").asString()).contains("(prediction - target)^2");
    CommandRun.of("audit", run.folder().toString()).succeeded();
  }
}
