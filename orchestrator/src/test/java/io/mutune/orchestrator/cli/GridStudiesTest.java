package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Studies whose sums and noise are whole multiples of a power of two. */
@Timeout(240)
class GridStudiesTest {
  private static final String ONE_STEP = "strategy: fixed, space: {learningRate: 1, steps: 1}";

  @TempDir Path folder;

  private Path sweep(String shape, String adjacency, String search, String train, String noise)
      throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 250, 5, 1);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 3);
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: grid
        data:
          private: {path: private.csv, format: csv, classes: 3, rows: 256%s}
          test: {path: test.csv}
        features: [{type: l2-normalize}]
        budget: {epsilon: 2, delta: 1.0e-5, adjacency: %s}
        search: {%s}
        train: {%s}
        run: {noise: %s}
        """
            .formatted(shape, adjacency, search, train, noise));
  }

  private CommandRun run(Path sweep) {
    return CommandRun.of("run", sweep.toString(), "--output", runs());
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  private static JsonNode statement(Path study) throws IOException {
    return Json.read(Files.readString(study.resolve("statement.json")));
  }

  /**
   * A step of plain descent at η = 1 releases −sum/256, exactly. On the grid of 2^-24 all 15
   * weights are multiples of 2^-32; without one, a weight is that with a probability of about
   * 2^-20, so that all are by chance never (2^-300).
   */
  @ParameterizedTest
  @CsvSource({"'{grid: 24}',true", "'{grid: 24, seed: 5}',true", "secure,false"})
  void theReleasedSum_liesOnTheGrid(String noise, boolean onGrid) throws Exception {
    Path sweep =
        sweep(
            ", features: 5" + (noise.contains("seed") ? ", declared: simulated" : ""),
            "add-remove",
            ONE_STEP,
            "momentum: 0, freeStep: false",
            noise);
    Path study = run(sweep).succeeded().folder();
    double[] weights = ModelDocument.read(study).model().weights();
    assertThat(weights).hasSize(15).doesNotContain(0.0);
    boolean all = true;
    for (double weight : weights) {
      all &= weight * 0x1p32 == Math.rint(weight * 0x1p32);
    }
    assertThat(all).isEqualTo(onGrid);
  }

  /** 15 weights at C = 1 and g = 2^-20: g√15 = 3.69356e-6. Samples are charged on both sides. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "noisy-gd,,add-remove,1.000003693565",
        "noisy-gd,,replace-one,2.000003693565",
        "fully-private,,add-remove,1.000003693565",
        "dp-sgd,\", samplingRate: 1\",add-remove,1.000003693565",
        "dp-sgd,\", samplingRate: 0.1\",add-remove,1.000003693565",
        "dp-sgd,\", samplingRate: 0.1\",replace-one,2.000007387129",
        "dp-adam,\", samplingRate: 0.1\",add-remove,1.000003693565",
        "sgd-adv,\", samplingRate: 1\",replace-one,2.000003693565",
      })
  void theChargeThePlanAndTheAudit_containTheRounding(
      String method, String more, String adjacency, double sensitivity) throws Exception {
    String train = "method: " + method + (more == null ? "" : more);
    String search = "strategy: fixed, space: {learningRate: 1, steps: 20}";
    Path sweep = sweep(", features: 5", adjacency, search, train, "{grid: 20}");
    assertThat(CommandRun.of("plan", sweep.toString()).succeeded().out())
        .contains("multiples of 2^-20", Double.toString(sensitivity).substring(0, 9));
    Path study = run(sweep).succeeded().folder();
    JsonNode statement = statement(study);
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("noise").asString()).contains("whole multiples of 2^-20");
    assertThat(statement.path("excluded").toString()).doesNotContain("last bits");
    JsonNode charge = statement.path("charges").get(0);
    // The expected number is given to twelve decimals.
    assertThat(charge.path("parameters").path("sensitivity").asDouble())
        .isBetween(sensitivity - 1e-12, sensitivity + 1e-12);
    assertThat(statement.path("epsilon").asDouble()).isBetween(1.999, 2.0);
    assertThat(CommandRun.of("audit", "--output", runs()).succeeded().out())
        .contains("Everything agrees");
    try (StoreView store = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      store.execute("DROP TRIGGER charge_is_never_changed");
      store.execute(
          "UPDATE charge SET parameters = json_set(parameters, '$.sensitivity', "
              + (adjacency.equals("add-remove") ? "1.0)" : "2.0)"));
    }
    CommandRun audit = CommandRun.of("audit", "--output", runs());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("and sums on the grid have");
  }

  @Test
  void scoresOnAGrid_areOnItToo() throws Exception {
    String search =
        "strategy: scale-free, space: {steps: 20}, sweeps: [{epsilon: 0.3, trials: 2}],"
            + " score: {on: private, epsilon: 0.3}";
    Path sweep = sweep(", features: 5", "add-remove", search, "momentum: 0.9", "{grid: 30}");
    Path study = run(sweep).succeeded().folder();
    JsonNode trials = Json.read(Files.readString(study.resolve("result.json"))).path("trials");
    assertThat(trials.size()).isEqualTo(2);
    for (JsonNode trial : trials) {
      // A count with noise, over 256 rows.
      double released = trial.path("score").asDouble() * 0x1p38;
      assertThat(released).isEqualTo(Math.rint(released));
    }
    assertThat(CommandRun.of("audit", "--output", runs()).succeeded().out())
        .contains("Everything agrees");
  }

  @Test
  void whatHasNoFigureForRounding_isRefused() throws Exception {
    assertThat(run(sweep("", "add-remove", ONE_STEP, "momentum: 0", "{grid: 30}")).err())
        .contains("run must not have noise on a grid unless data.private states features");
    assertThat(
            run(sweep(
                    ", features: 5", "add-remove", "strategy: fixed", "method: agd", "{grid: 30}"))
                .err())
        .contains("run must not have noise on a grid with agd");
    assertThat(
            run(sweep(", features: 5", "add-remove", ONE_STEP, "clipNorm: 1", "{grid: 19}")).err())
        .contains("run.noise.grid must be");
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  @Test
  void aGridTooFineForTheNoise_isRefusedByThePlan() throws Exception {
    for (String clip : new String[] {"1", "1.0e10"}) {
      String grid = clip.equals("1") ? "{grid: 57}" : "{grid: 25}";
      Path sweep = sweep(", features: 5", "add-remove", ONE_STEP, "clipNorm: " + clip, grid);
      assertThat(CommandRun.of("plan", sweep.toString()).err())
          .contains("run.noise.grid must be coarser: the noise of final", "2^55 steps");
      assertThat(run(sweep).status()).isEqualTo(ExitCode.INVALID);
    }
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  /** 256 rows of norm 1 pass 2^52 steps of 2^-45, which are 128, and not those of 2^-44. */
  @Test
  void aGridTooFineForTheSums_isRefusedByThePlan_sinceItWouldCutThemOff() throws Exception {
    Path fine = sweep(", features: 5", "add-remove", ONE_STEP, "clipNorm: 1", "{grid: 45}");
    assertThat(CommandRun.of("plan", fine.toString()).err())
        .contains("run.noise.grid must be coarser: the sums of training", "would be cut off");
    assertThat(run(fine).status()).isEqualTo(ExitCode.INVALID);
    Path coarse = sweep(", features: 5", "add-remove", ONE_STEP, "clipNorm: 1", "{grid: 44}");
    CommandRun.of("plan", coarse.toString()).succeeded();
  }
}
