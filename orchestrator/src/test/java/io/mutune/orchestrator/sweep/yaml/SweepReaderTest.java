package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.EnoughSteps;
import io.mutune.orchestrator.search.Fixed;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.ScaleFree;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.Declaration;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.OutputSettings;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.score.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepReaderTest {
  private static final CsvLayout CSV = new CsvLayout(',', true, new LabelColumn.Named("income"));
  private static final ClassLabels CLASSES = new ClassLabels(List.of("no", "yes"));

  @Test
  void everyKey_isReadToItsValue() {
    SweepDefinition sweep = Sweeps.read(Sweeps.LINEAR);

    assertThat(sweep)
        .isEqualTo(
            new SweepDefinition(
                "probe",
                "A linear probe",
                new SweepData(
                    new DataSource(
                        spec("/nowhere/work/data/train.csv.gz", new RowRange(1, 60000)),
                        OptionalLong.of(60000),
                        true),
                    Declaration.PRIVATE,
                    Optional.empty(),
                    Optional.of(
                        new DataSource(
                            spec("/nowhere/work/data/train.csv.gz", new RowRange(60001, 61000)),
                            OptionalLong.empty(),
                            false)),
                    Optional.of(
                        new DataSource(
                            new DataSpec(
                                Path.of("/nowhere/sweeps/test.csv.gz"),
                                null,
                                DataFormat.CSV,
                                CSV,
                                CLASSES,
                                null,
                                null),
                            OptionalLong.empty(),
                            false)),
                    FeaturePipeline.of(new Scale(0, 255), new L2Normalize()),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty()),
                new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.REPLACE_ONE),
                List.of(),
                new LinearScaling(
                    new RadiusSpace.ByRate(
                        new Interval(0.01, 10, Interval.Scale.LINEAR),
                        new StepRange(5, 200),
                        RadiusSpace.Decompose.SAMPLE_STEPS),
                    List.of(new SweepRound(Epsilon.of(0.1), 3), new SweepRound(Epsilon.of(0.2), 3)),
                    1,
                    LinearScaling.Axis.EPSILON,
                    false,
                    11),
                new ScoreRule.PublicValidation(),
                Metric.ACCURACY,
                new TrainDefinition(noisyGd(0.5, 0.8, false), new LogisticLoss()),
                new RunSettings(2, new NoiseRule.Secure()),
                new OutputSettings(
                    Path.of("/nowhere/work/out"), Optional.empty(), List.of(), Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  private static TrainingMethod noisyGd(double clipNorm, double momentum, boolean freeStep) {
    return new NoisyGd(ClipNorm.of(clipNorm), momentum, freeStep);
  }

  private static DataSpec spec(String file, RowRange range) {
    return new DataSpec(Path.of(file), null, DataFormat.CSV, CSV, CLASSES, null, range);
  }

  @Test
  void whatIsLeftOut_hasTheDefaultsOfTheFormat() {
    SweepDefinition sweep = Sweeps.read(Sweeps.SCALE_FREE);

    assertThat(sweep.description()).isEmpty();
    assertThat(sweep.data().validation()).isEmpty();
    assertThat(sweep.data().test()).isEmpty();
    assertThat(sweep.data().features().maps()).isEmpty();
    assertThat(sweep.budget().adjacency()).isEqualTo(Adjacency.ADD_REMOVE);
    assertThat(sweep.search())
        .isEqualTo(
            new ScaleFree(
                RunScale.USUAL_NOISE,
                new EnoughSteps(
                    189,
                    Optional.of(
                        "189 steps: a logit noise of 8 at a learning rate of 11.4, half of the"
                            + " largest that is stable, takes 189")),
                List.of(new SweepRound(Epsilon.of(0.2), 3)),
                Optional.empty()));
    assertThat(sweep.score()).isEqualTo(new ScoreRule.NoisyCount(Epsilon.of(0.02), true));
    assertThat(sweep.train())
        .isEqualTo(new TrainDefinition(noisyGd(1, 0.9, true), new SoftmaxLoss()));
    assertThat(sweep.run().parallelTrials()).isEqualTo(3);
    assertThat(sweep.run().noise()).isEqualTo(new NoiseRule.Secure());
    assertThat(sweep.output().directory()).isEqualTo(Path.of("/nowhere/work/runs"));
  }

  @Test
  void linearScaling_hasItsGuardsOnAndFitsOverMuUnlessTold() {
    String text =
        Sweeps.edited(Sweeps.LINEAR, "  fit: {degree: 1, axis: epsilon, guards: off}\n", "");
    text = Sweeps.edited(text, "  decompose: sample-steps\n  seed: 11\n", "");

    LinearScaling search = (LinearScaling) Sweeps.read(text).search();

    assertThat(search.guards()).isTrue();
    assertThat(search.axis()).isEqualTo(LinearScaling.Axis.MU);
    assertThat(search.degree()).isEqualTo(1);
    assertThat(((RadiusSpace.ByRate) search.space()).decompose())
        .isEqualTo(RadiusSpace.Decompose.SAMPLE_BOTH);
  }

  @Test
  void theThreeWaysOfGivingThePoint_areToldApart() {
    assertThat(fixed("learningRate: 2.5")).isEqualTo(new Fixed.ByRate(2.5, 40));
    assertThat(fixed("radius: 2.5")).isEqualTo(new Fixed.ByRadius(2.5, 40));
    assertThat(fixed("logitNoise: 2.5")).isEqualTo(new Fixed.ByLogitNoise(2.5, 40));
  }

  private static Fixed.Point fixed(String point) {
    String text = Sweeps.edited(Sweeps.FIXED, "learningRate: 2.5", point);
    return ((Fixed) Sweeps.read(text).search()).point();
  }

  @Test
  void fixedWithoutASpace_takesOneUnitOfLogitNoise() {
    String text = Sweeps.edited(Sweeps.FIXED, "  space: {learningRate: 2.5, steps: 40}\n", "");

    SweepDefinition sweep = Sweeps.read(text);

    assertThat(((Fixed) sweep.search()).point()).isEqualTo(new Fixed.ByLogitNoise(1, 100));
    assertThat(((Fixed) sweep.search()).whySteps().orElseThrow())
        .startsWith("100 steps, as is usual");
    assertThat(sweep.score()).isEqualTo(new ScoreRule.None());
  }

  @Test
  void whatTestLeavesOut_itTakesFromPrivateRowsAndNotFromValidation() {
    String text =
        Sweeps.edited(
            Sweeps.LINEAR,
            "train.csv.gz\n    range: {first: 60001, last: 61000}\n",
            "other.csv\n    delimiter: ;\n    label: first\n");

    SweepDefinition sweep = Sweeps.read(text);

    assertThat(sweep.data().validation().orElseThrow().spec().csv())
        .isEqualTo(new CsvLayout(';', true, new LabelColumn.First()));
    assertThat(sweep.data().test().orElseThrow().spec().csv()).isEqualTo(CSV);
  }

  @Test
  void lineBreaksInFields_areStated_andTakenFromPrivateRows() {
    String text =
        Sweeps.edited(
            Sweeps.LINEAR,
            "train.csv.gz\n    range: {first: 60001, last: 61000}\n",
            "other.csv\n    lineBreaks: true\n");
    assertThat(Sweeps.read(text).data().validation().orElseThrow().spec().csv().lineBreaks())
        .isTrue();
    assertThat(Sweeps.read(text).data().training().spec().csv().lineBreaks()).isFalse();
  }

  @Test
  void privateValidationRows_areScoredByAChargedCount() {
    String text =
        Sweeps.edited(
            Sweeps.LINEAR,
            "    range: {first: 60001, last: 61000}\n",
            "    range: {first: 60001, last: 61000}\n    private: true\n    rows: 1000\n");
    text = Sweeps.edited(text, "{on: validation}", "{on: validation, epsilon: 0.02}");

    SweepDefinition sweep = Sweeps.read(text);

    assertThat(sweep.score()).isEqualTo(new ScoreRule.NoisyCount(Epsilon.of(0.02), false));
    assertThat(sweep.data().validation().orElseThrow().rows()).hasValue(1000);
  }

  @Test
  void sixMistakes_areReportedAtOnceInTheOrderOfTheirLines() {
    String text = Sweeps.edited(Sweeps.LINEAR, "version: 1", "version: 2");
    text = Sweeps.edited(text, "test.csv.gz", "${TESTS}/test.csv.gz");
    text = Sweeps.edited(text, "delta: 1.0e-5", "delta: 1e-3");
    text = Sweeps.edited(text, "linear-scaling", "linear-scalling");
    text = Sweeps.edited(text, "clipNorm: 0.5", "clipnorm: 0.5");
    text = Sweeps.edited(text, "parallelTrials: 2", "parallelTrials: two");
    String broken = text;

    assertThatThrownBy(() -> Sweeps.read(broken))
        .isInstanceOf(InvalidSweepException.class)
        .hasMessage(
            """
            probe.yaml:1: version must be 1; was 2
            probe.yaml:17: data.test.path needs the environment variable TESTS, which is not set; \
            was ${TESTS}/test.csv.gz
            probe.yaml:23: budget.delta must be above 0 and below 1/rows (1.6e-5); was 1e-3
            probe.yaml:26: search.strategy must be one of scale-free, linear-scaling, random, grid, \
            successive-halving, random-stopping, subsampled-tuning, fixed, oracle; was linear-scalling; did you mean linear-scaling?
            probe.yaml:40: train.clipnorm is not a known key; did you mean clipNorm?
            probe.yaml:43: run.parallelTrials must be a number; was two\
            """);
  }

  @Test
  void aMistakeInOneSection_hidesNoMistakeInAnotherAndMakesUpNone() {
    String text = Sweeps.edited(Sweeps.LINEAR, "format: csv", "format: cssv");
    text = Sweeps.edited(text, "delta: 1.0e-5", "delta: 1e-3");
    text = Sweeps.edited(text, "range: {first: 60001, last: 61000}", "range: {first: 60001}");
    text = Sweeps.edited(text, "- {epsilon: 0.1, trials: 3}", "- {epsilon: 0.1, trials: 0}");
    text = Sweeps.edited(text, "score: {on: validation}", "score: {on: validation, epsilon: 1}");
    text = Sweeps.edited(text, "seed: 11", "sead: 11");

    assertThat(Sweeps.problems(text))
        .containsExactly(
            "7: data.private.format must be one of csv, idx, images, jsonl, libsvm, npy, npz,"
                + " parquet, tsv; was cssv; did you mean csv?",
            "15: data.validation.range.last is missing; a range is first and last row, counted from"
                + " 1, both taken",
            "23: budget.delta must be above 0 and below 1/rows (1.6e-5); was 1e-3",
            "31: search.sweeps[0].trials must be a whole number from 1 to 10000; was 0",
            "35: search.sead is not a known key; did you mean seed?",
            "36: search.score.epsilon is for private rows; public validation rows are free; was"
                + " given");
  }

  @Test
  void aMisspeltStrategy_isNamedBesideTheOneThatIsMissing() {
    assertThat(
            Sweeps.problems(Sweeps.edited(Sweeps.LINEAR, "strategy: linear", "strategi: linear")))
        .satisfiesExactly(
            missing ->
                assertThat(missing).contains("search.strategy is missing; one of scale-free"),
            key ->
                assertThat(key)
                    .endsWith("search.strategi is not a known key; did you mean strategy?"));
  }

  @Test
  void windowsLineEndsAndAByteOrderMark_areRead() {
    String text = "\uFEFF" + Sweeps.LINEAR.replace("\n", "\r\n");

    assertThat(Sweeps.read(text)).isEqualTo(Sweeps.read(Sweeps.LINEAR));
  }

  @Test
  void aMessage_staysOnOneLineAndShort() {
    String text =
        Sweeps.edited(Sweeps.LINEAR, "name: probe", "name: \"a\\t\\t2J" + "b".repeat(5000) + '"');

    assertThat(Sweeps.problems(text))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem)
                    .startsWith("2: name must be")
                    .contains("was a??2Jbbb")
                    .endsWith("b…")
                    .hasSizeLessThan(200));
  }

  @Test
  void rows_areProtected_untilTheyAreDeclaredOtherwise() {
    String open = Sweeps.LINEAR.replaceFirst("(  private:\n)", "$1    declared: simulated\n");
    String wrong = Sweeps.LINEAR.replaceFirst("(  private:\n)", "$1    declared: open\n");

    assertThat(Sweeps.read(Sweeps.LINEAR).data().declared().isOpen()).isFalse();
    assertThat(Sweeps.read(open).data().declared()).isEqualTo(Declaration.SIMULATED);
    assertThat(Sweeps.problems(wrong)).singleElement().asString().contains("declared", "simulated");
  }

  @Test
  void numbersAreDecimal_inListsAsElsewhere_withTheSameUnderscores() {
    String listed = Sweeps.edited(Sweeps.LINEAR, "directory: out", "deltas: [1_0e-5, 0x1p-3]");
    String decimal = listed.replace("0x1p-3", "1_0e-4");

    assertThat(Sweeps.problems(listed)).singleElement().asString().endsWith("was 0x1p-3");
    assertThat(Sweeps.read(decimal).output().deltas())
        .containsExactly(Delta.of(1e-4), Delta.of(1e-3));
  }

  /** Whoever reads the sweep can take the noise away; a study that is there is still read. */
  @Test
  void aSeed_isForRowsThatAreDeclaredOpen() {
    String seeded = Sweeps.edited(Sweeps.LINEAR, "noise: secure", "noise: {seed: 7}");
    String open = seeded.replaceFirst("(  private:\n)", "$1    declared: simulated\n");

    assertThat(Sweeps.problems(seeded))
        .singleElement()
        .asString()
        .contains("run must not have a seed where rows need protection", "seed 7");
    NoiseRule expected = new NoiseRule.Seeded(7, Optional.empty());
    assertThat(Sweeps.read(open).run().noise()).isEqualTo(expected);
    assertThat(SweepReader.readStored(Sweeps.FILE, seeded, Sweeps.CONTEXT).run().noise())
        .isEqualTo(expected);
  }

  /** That the training rows need no protection says nothing of other files. */
  @ParameterizedTest
  @ValueSource(strings = {"noise: {seed: 7}", "budget: whole"})
  void whatIsForOpenRows_isRefusedBesidePrivateOnes(String open) {
    boolean seeded = open.startsWith("noise");
    String text =
        """
        version: 1
        name: open
        data:
          private: {declared: simulated, path: a.csv, format: csv, features: 20, classes: 3, rows: 10000}
          validation: {path: b.csv}
        budget: {epsilon: 1, delta: 1.0e-5}
        search: {strategy: random, trials: 2, space: {logitNoise: 1, steps: 9}%s, score: {on: validation}}
        %s
        """
            .formatted(seeded ? "" : ", " + open, seeded ? "run: {" + open + "}" : "");
    String beside =
        text.replace("{path: b.csv}", "{path: b.csv, private: true, rows: 1000}")
            .replace("on: validation", "on: validation, epsilon: 1");

    assertThat(Sweeps.read(text).data().isOpen()).isTrue();
    assertThat(Sweeps.problems(beside))
        .singleElement()
        .asString()
        .containsAnyOf("must not have a seed where rows need", "no other part be private");
    assertThat(SweepReader.readStored(Sweeps.FILE, beside, Sweeps.CONTEXT).data().isOpen())
        .isFalse();
  }
}
