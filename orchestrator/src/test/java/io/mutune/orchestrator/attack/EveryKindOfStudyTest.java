package io.mutune.orchestrator.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.attack.CanaryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sweeps of every strategy and every method under attack: each gives a result, and no sound study
 * is accused. Seeded, so that every test repeats.
 */
@Timeout(300)
class EveryKindOfStudyTest {
  private static final String FIXED = "{strategy: fixed, space: {logitNoise: 1, steps: 4}}";
  private static final String NOISY_GD = "{method: noisy-gd, clipNorm: 0.5}";
  private static final Pattern SHOWN = Pattern.compile("adamix|ppsgd|ppgd|pate|only-public");
  private static final String LOSSES = "losses";
  private static final String SUMS = "sums";

  @TempDir Path folder;

  @BeforeEach
  void writeRows() throws IOException {
    SmallStudies.write(folder.resolve("private.csv"), 200, 40, 1);
    SmallStudies.write(folder.resolve("test.csv"), 60, 40, 2);
    SmallStudies.write(folder.resolve("public.csv"), 30, 40, 3);
  }

  private AttackedSweep sweep(String search, String train, String more) throws IOException {
    return SmallStudies.attacked(
        folder,
        """
        version: 1
        name: small
        data:
          private: {path: private.csv, format: csv, classes: 3, features: 40, rows: 200, declared: simulated}
          test: {path: test.csv}%s%s
        features: [{type: l2-normalize}%s]
        budget: {epsilon: 2, delta: 1.0e-5%s}
        search: %s
        train: %s
        run: {noise: {seed: 7}}
        """
            .formatted(
                search.contains("validation") ? "\n  validation: {path: test.csv}" : "",
                SHOWN.matcher(train).find() ? "\n  public: {path: public.csv, rows: 30}" : "",
                more.contains("mean") ? ", " + more : "",
                more.contains("adjacency") ? ", " + more : "",
                search,
                train));
  }

  static Stream<Arguments> strategies() {
    String space = "space: {logitNoise: {min: 0.5, max: 5}, steps: 4}";
    String priv = "score: {on: private, epsilon: 0.3}";
    String runs = "runs: {mean: 3}";
    return Stream.of(
            Map.entry(
                "scale-free, sweeps: [{epsilon: 0.4, trials: 2}], " + space + ", " + priv, SUMS),
            Map.entry(
                "linear-scaling, sweeps: [{epsilon: 0.2, trials: 2}, {epsilon: 0.4, trials: 2}], "
                    + space
                    + ", "
                    + priv,
                SUMS),
            Map.entry("random, trials: 3, " + space + ", score: {on: validation}", SUMS),
            Map.entry("random, trials: 3, budget: whole, " + space + ", " + priv, SUMS),
            Map.entry("grid, points: {values: 3}, " + space + ", score: {on: validation}", SUMS),
            Map.entry("successive-halving, points: {values: 4}, " + space + ", " + priv, SUMS),
            Map.entry(
                "oracle, points: {values: 2}, " + space + ", score: {on: private, uncharged: true}",
                SUMS),
            Map.entry(
                "random-stopping, " + runs + ", " + space + ", score: {on: validation}", LOSSES),
            Map.entry("random-stopping, " + runs + ", " + space + ", " + priv, LOSSES),
            Map.entry(
                "subsampled-tuning, epsilon: 1, sampleRate: 0.3, "
                    + runs
                    + ", "
                    + space
                    + ", score: {on: validation}",
                SUMS))
        .map(entry -> Arguments.of("{strategy: " + entry.getKey() + "}", entry.getValue()));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void anyStrategy_isAudited(String search, String seen) throws IOException {
    assertAudited(sweep(search, NOISY_GD, ""), seen);
  }

  @Test
  void trialsOfSearchedSettings_areAudited() throws IOException {
    String search =
        "{strategy: random, trials: 3, score: {on: validation}, space: {logitNoise: 1, steps: 4,"
            + " clipNorm: {min: 0.1, max: 2}, weightDecay: {min: 0.1, max: 1}}}";
    assertAudited(sweep(search, "{method: noisy-gd}", ""), SUMS);
  }

  private static void assertAudited(AttackedSweep sweep, String seen) throws IOException {
    try (UnchargedStudy study = SmallStudies.uncharged(sweep)) {
      CanaryReport report = new CanaryAudit(CanaryKind.GRADIENT, 100, 1, 10, 0.999, 5).run(study);

      assertThat(report.problems()).isEmpty();
      assertThat(report.refutes()).isFalse();
      assertThat(report.used().get(0)).contains(seen);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{method: noisy-gd, weightDecay: 1, projectionRadius: 3, freeStep: false, averaging: true} | | sums",
        "{method: fully-private} | | sums",
        "{method: adamix} | | sums",
        "{method: adamix, directions: 5, publicGradient: false, start: zero, momentum: 0.5} | | sums",
        "{method: dp-sgd, samplingRate: 0.3} | | sums",
        "{method: dp-sgd, samplingRate: 1} | | sums",
        "{method: dp-zo} | learningRate | losses",
        "{method: dp-adam, samplingRate: 1} | learningRate | sums",
        "{method: sgd-adv, samplingRate: 1} | learningRate | losses",
        "{method: dp-adam-wosm, samplingRate: 1} | steps | sums",
        "{method: ppgd, learningRate: 1} | nothing | losses",
        "{method: agd} | nothing | losses",
        "{method: output-perturbation, weightDecay: 1} | nothing | losses",
        "{method: pate, teachers: 10, threshold: 5} | nothing | losses"
      })
  void anyMethod_isAudited(String train, String space, String seen) throws IOException {
    assertAudited(sweep(fixed(space), train, ""), seen);
  }

  private static String fixed(String space) {
    if (space == null) {
      return FIXED;
    }
    return switch (space) {
      case "learningRate" -> "{strategy: fixed, space: {learningRate: 0.1, steps: 4}}";
      case "steps" -> "{strategy: fixed, space: {steps: 4}}";
      default -> "{strategy: fixed}";
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{method: ppsgd, learningRate: 1, batchSize: 10}",
        "{method: pnsgd, learningRate: 0.5, weightDecay: 0.1, loss: huber-hinge}"
      })
  void methodsForReplacedRows_areAudited(String train) throws IOException {
    assertAudited(sweep("{strategy: fixed}", train, "adjacency: replace-one"), LOSSES);
  }

  @Test
  void aPrivateMean_isPartOfWhatIsAudited() throws IOException {
    assertAudited(sweep(FIXED, NOISY_GD, "{type: private-mean, epsilon: 0.3, clipNorm: 1}"), SUMS);
  }

  /** One clear refusal, before a row is read. */
  @ParameterizedTest
  @CsvSource({"only-public", "not-private"})
  void methodsThatPromiseNothing_areRefused(String method) {
    assertThatThrownBy(() -> sweep("{strategy: fixed}", "{method: " + method + "}", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("promises nothing");
  }

  /**
   * Secret trials, settings of each trial's own and public rows are read as they are: noise that is
   * taken to be on another scale than it was charged for would be an alarm in every run.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{strategy: subsampled-tuning, epsilon: 1, sampleRate: 0.3, runs: {mean: 3}, space: {logitNoise: {min: 0.5, max: 5}, steps: 3}, score: {on: validation}} | {method: noisy-gd}",
        "{strategy: random, trials: 2, score: {on: validation}, space: {logitNoise: 1, steps: 3, clipNorm: {min: 0.1, max: 2}, weightDecay: {min: 0.1, max: 1}}} | {method: noisy-gd}",
        "{strategy: random, trials: 2, score: {on: validation}, space: {logitNoise: 1, steps: 3, clipQuantile: {min: 0.5, max: 0.9}}} | {method: adamix, directions: 5}"
      })
  void neighboursOfAnyKind_areNotToldApart(String search, String train) throws IOException {
    NeighbourReport report =
        new Neighbours(sweep(search, train, ""), 1, 20, 0.999, 5)
            .run(result -> Map.of(), SmallStudies.ENVIRONMENT);

    assertThat(report.problems()).isEmpty();
    assertThat(report.silent().outcome()).isEqualTo(NeighbourReport.Outcome.SAME);
    assertThat(report.refutes()).isFalse();
  }

  /** Their sums are of gradients alone, so that a row of zeros is nothing to them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{method: dp-sgd, samplingRate: 0.3} | ",
        "{method: dp-adam, samplingRate: 1} | learningRate",
        "{method: sgd-adv, samplingRate: 1} | learningRate"
      })
  void aRowThatAddsNothing_changesNoStudyOnSums(String train, String space) throws IOException {
    assertThat(silent(sweep(fixed(space), train, ""))).isEqualTo(NeighbourReport.Outcome.SAME);
  }

  /** A loss of ln 3 is asked for, a row sits in some teacher's part, a place is taken. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{method: agd} | ",
        "{method: pate, teachers: 10, threshold: 5} | ",
        "{method: ppsgd, learningRate: 1, batchSize: 10} | adjacency: replace-one"
      })
  void whereNoRowAddsNothing_nobodyIsAccusedForIt(String train, String more) throws IOException {
    assertThat(silent(sweep("{strategy: fixed}", train, more == null ? "" : more)))
        .isEqualTo(NeighbourReport.Outcome.NOT_APPLICABLE);
  }

  private static NeighbourReport.Outcome silent(AttackedSweep sweep) throws IOException {
    NeighbourReport report =
        new Neighbours(sweep, 1, 0, 0.999, 5).run(result -> Map.of(), SmallStudies.ENVIRONMENT);
    assertThat(report.refutes()).isFalse();
    return report.silent().outcome();
  }
}
