package io.mutune.orchestrator.sweep.yaml;

import static io.mutune.orchestrator.sweep.Sweeps.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.budget.Adaptation;
import io.mutune.trainer.method.budget.Pate;
import io.mutune.trainer.method.budget.Pnsgd;
import io.mutune.trainer.method.budget.Ppsgd;
import io.mutune.trainer.method.descent.AdaMix;
import io.mutune.trainer.method.descent.ClipRule;
import io.mutune.trainer.method.descent.DpAdam;
import io.mutune.trainer.method.descent.DpSgd;
import io.mutune.trainer.method.descent.DpZo;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.method.descent.NoisyGradient;
import io.mutune.trainer.method.descent.Restraint;
import io.mutune.trainer.method.descent.SgdAdv;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands after {@code train}: every method's keys, and what goes with none. */
class MethodReaderTest {
  /** Ends on line 15. */
  static final String PUBLIC =
      """
      version: 1
      name: methods
      data:
        private:
          {path: a.csv, format: csv, features: 20, classes: 3, rows: 10000}
        public: {path: b.csv}
      budget: {epsilon: 1, delta: 1.0e-5}
      search:
        strategy: fixed
        space: {learningRate: 2.5, steps: 40}
      """;

  static final String PRIVATE = Sweeps.edited(PUBLIC, "  public: {path: b.csv}\n", "");

  private static TrainingMethod read(String text, String train) {
    return Sweeps.read(text + "train: " + train + "\n").train().method();
  }

  @Test
  void noisyGd_takesEveryRestraint() {
    assertThat(
            read(
                PRIVATE,
                "{method: noisy-gd, clipNorm: 0.5, momentum: 0, weightDecay: 2, decayTowards: start,"
                    + " projectionRadius: 7, schedule: inverse, averaging: true, start: w.npz}"))
        .isEqualTo(
            new NoisyGd(
                "noisy-gd",
                NoisyGradient.ofAllRows(ClipNorm.of(0.5)),
                0,
                false,
                new Restraint(2, true, 7, Restraint.Schedule.INVERSE, true),
                new Start.FromFile(Path.of("/nowhere/sweeps/w.npz"))));
  }

  @Test
  void fullyPrivate_isNoisyGdByAdaMixsName() {
    assertThat(read(PRIVATE, "{method: fully-private}"))
        .isEqualTo(
            new NoisyGd(
                "fully-private",
                NoisyGradient.ofAllRows(ClipNorm.of(1)),
                0.9,
                true,
                Restraint.NONE,
                Start.zero()));
  }

  @Test
  void dpSgd_takesARateOrABatchOfThePublicRows() {
    TrainingMethod bySize = read(PRIVATE, "{method: dp-sgd, batchSize: 250}");
    TrainingMethod byRate = read(PRIVATE, "{method: dp-sgd, samplingRate: 0.025}");
    assertThat(bySize)
        .isEqualTo(byRate)
        .isEqualTo(
            new DpSgd(NoisyGradient.ofSamples(ClipNorm.of(1), 0.025), 0.9, true, Start.zero()));
  }

  @Test
  void dpAdam_takesItsDecays() {
    assertThat(
            read(
                PRIVATE,
                "{method: dp-adam, samplingRate: 0.1, beta1: 0.8, beta2: 0.99, adamEpsilon: 1e-6,"
                    + " start: zero}"))
        .isEqualTo(
            new DpAdam(
                NoisyGradient.ofSamples(ClipNorm.of(1), 0.1), 0.8, 0.99, 1e-6, Start.zero()));
  }

  @Test
  void adaMix_hasThePapersSettingsUnlessTold() {
    assertThat(read(PUBLIC, "{method: adamix}"))
        .isEqualTo(
            new AdaMix(
                new ClipRule.Quantile(0.9),
                0,
                OptionalInt.empty(),
                true,
                0.01,
                new Start.FromPublicRows(0, 1e-6, 1000)));
    assertThat(
            read(
                PUBLIC,
                "{method: adamix, clipNorm: 2, momentum: 0.5, directions: 20, publicGradient: false,"
                    + " weightDecay: 0, start: zero}"))
        .isEqualTo(
            new AdaMix(
                new ClipRule.Fixed(ClipNorm.of(2)),
                0.5,
                OptionalInt.of(20),
                false,
                0,
                Start.zero()));
    assertThat(
            read(
                    PUBLIC,
                    "{method: adamix, pretraining: {weightDecay: 0.1, tolerance: 1e-3, maxSteps: 7}}")
                .start())
        .isEqualTo(new Start.FromPublicRows(0.1, 1e-3, 7));
  }

  @Test
  void labelNames_startAnyThatStarts_whereRowsAreOneText() {
    String texts =
        Sweeps.edited(
            PUBLIC,
            "  private:\n    {path: a.csv, format: csv, features: 20, classes: 3, rows: 10000}",
            """
              columns:
                words: {type: text, encoder: e5-small-v2}
                topic: {type: label, values: [sport, news, art]}
              private: {path: a.csv, format: csv, rows: 10000}
            """);
    String named = "{start: label-names, labelNames: {texts: [a, b, c], scale: 5}, method: ";
    assertThat(read(texts, named + "adamix}").start())
        .isEqualTo(new Start.FromLabelNames(List.of("a", "b", "c"), 5));
    String alone = Sweeps.edited(texts, "  public: {path: b.csv}\n", "");
    assertThat(read(alone, named + "dp-sgd, batchSize: 100}").start())
        .isEqualTo(new Start.FromLabelNames(List.of("a", "b", "c"), 5));
    assertThat(read(alone, "{method: noisy-gd, start: label-names}").start())
        .isEqualTo(new Start.FromLabelNames(List.of(), 100));

    assertThat(problems(alone + "train: {start: label-names, labelNames: {texts: [a, b]}}\n"))
        .singleElement()
        .asString()
        .contains("train must have labelNames.texts for each of the 3 classes; was 2");
    String list = "[a, " + "x".repeat(1001) + ", c]";
    assertThat(problems(alone + "train: {start: label-names, labelNames: {texts: " + list + "}}\n"))
        .singleElement()
        .asString()
        .contains("must start from texts of at most 1000 characters each");
    assertThat(problems(alone + "train: {labelNames: {scale: 2}}\n"))
        .singleElement()
        .asString()
        .contains("train.labelNames is for start: label-names only");
    String more =
        Sweeps.edited(alone, "    topic:", "    age: {type: number, min: 0, max: 9}\n    topic:");
    for (String other : List.of(PRIVATE, more)) {
      assertThat(problems(other + "train: {start: label-names}\n"))
          .singleElement()
          .asString()
          .contains("must not have the start label-names: it needs rows of one text");
    }
  }

  @Test
  void whatAMethodDoesNotKnow_isNamedWithItsLine_allAtOnce() {
    assertThat(
            problems(
                PRIVATE
                    + """
                    train:
                      method: noisy-gd
                      momentum: 1
                      freeStep: true
                      averaging: true
                      samplingRate: 0.1
                      start: public-rows
                    """))
        .satisfiesExactly(
            p -> assertThat(p).startsWith("12: train.momentum must be at least 0 and below 1"),
            p -> assertThat(p).startsWith("13: train.freeStep must be false with averaging"),
            p -> assertThat(p).startsWith("15: train.samplingRate is not a known key"),
            p -> assertThat(p).startsWith("16: train.start from public rows is adamix's"));
  }

  @Test
  void aSearchOverSteps_isRefusedWhereThePlanHasToBeFixed() {
    String linear =
        Sweeps.edited(
            PRIVATE,
            "  strategy: fixed\n  space: {learningRate: 2.5, steps: 40}\n",
            """
              strategy: linear-scaling
              space: {learningRate: {min: 0.1, max: 1}, steps: {min: 5, max: 50}}
              sweeps: [{epsilon: 0.1, trials: 1}, {epsilon: 0.2, trials: 1}]
              score: {on: private, epsilon: 0.1}
            """);
    String dpSgd = "train: {method: dp-sgd, samplingRate: 0.1}\n";
    assertThat(problems(linear + dpSgd))
        .containsExactly(
            "9: search.space must have one number of steps with dp-sgd: its charges have no mu, so the"
                + " whole plan is fixed before any data is read; was a range of steps");
    assertThat(
            Sweeps.read(linear + dpSgd.replace("0.1", "1")).train().method().needs(Need.FIXED_PLAN))
        .isFalse();
    assertThat(Sweeps.read(linear.replace("{min: 5, max: 50}", "50") + dpSgd).search().fixedSteps())
        .hasValue(50);
  }

  static final String SETTLED =
      PUBLIC
          .replace("\n  space: {learningRate: 2.5, steps: 40}", "")
          .replace("b.csv}", "b.csv, rows: 50}")
          .replace("delta: 1.0e-5", "delta: 1.0e-5, adjacency: replace-one");

  /** A trainer is told the name of the loss; a study that is there goes on. */
  @ParameterizedTest
  @CsvSource({"huber-hinge, huberWidth, 0.125", "squared, predictionBound, 9"})
  void aLossOfAnExternalTrainer_hasNoSettingsOfItsOwn(String loss, String key, double value) {
    String usual =
        PRIVATE
            + "train: {method: external, command: [./train], mechanism: {type: gaussian}, loss: "
            + loss;
    String given = "%s, %s: %s}\n".formatted(usual, key, value);
    assertThat(Sweeps.read(usual + "}\n").train().loss().key()).isEqualTo(loss);
    assertThat(problems(given))
        .containsExactly(
            "10: train.%s must be left out with external: make it a setting of the trainer"
                .formatted(key));
    assertThat(
            SweepReader.readStored(Sweeps.FILE, given, Sweeps.CONTEXT)
                .train()
                .method()
                .isExternal())
        .isTrue();
  }

  static final String SETTLED_PRIVATE =
      Sweeps.edited(SETTLED, "  public: {path: b.csv, rows: 50}\n", "");

  /** Fewer would be asked about than the plan says. */
  @Test
  void moreStatedPublicRowsThanAMethodTakes_areRefused() {
    String many = SETTLED.replace("rows: 50}", "rows: 1000001}");
    assertThat(problems(many + "train: {method: pate, teachers: 30, threshold: 20}\n"))
        .singleElement()
        .asString()
        .contains("train.method takes at most 1000000 rows in data.public; was pate");
  }

  @Test
  void classicMethods_takeTheirOwnSettings() {
    assertThat(read(SETTLED, "{method: ppsgd, learningRate: 0.5, batchSize: 100, reuse: 0.1}"))
        .isEqualTo(
            new Ppsgd(
                new Adaptation(0.5, 0.01, ClipNorm.of(1), 10, 0.3, 10, 0.3, 0, Optional.of(0.1)),
                100));
    assertThat(read(SETTLED, "{method: pate, teachers: 30, threshold: 20, thresholdRatio: 2}"))
        .isEqualTo(new Pate(30, 20, 2, 50, 50, 1e-3));
    assertThat(
            read(SETTLED, "{method: pnsgd, learningRate: 0.1, publicPasses: 2, weightDecay: 0.3}"))
        .isEqualTo(new Pnsgd(0.1, 0.3, 2, 50));
    assertThat(read(PRIVATE, "{method: dp-zo, smoothing: 0.1, directionSeed: 4, clipNorm: 2}"))
        .isEqualTo(new DpZo(ClipNorm.of(2), 0.1, 4, Start.zero()));
    assertThat(read(PRIVATE, "{method: sgd-adv, samplingRate: 0.1, weightDecay: 0.2}"))
        .isEqualTo(new SgdAdv(NoisyGradient.ofSamples(ClipNorm.of(1), 0.1), 0.2));
  }
}
