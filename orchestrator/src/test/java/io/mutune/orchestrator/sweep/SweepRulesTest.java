package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of the format, broken alone: exactly one message, with the line of the mistake. */
class SweepRulesTest {
  private static final class Cases {
    private final List<Arguments> all = new ArrayList<>();

    /** A part of the text, what is written in its place, and the one message about it. */
    Cases of(String text, String part, String other, String message) {
      all.add(Arguments.of(Sweeps.edited(text, part, other), message));
      return this;
    }

    Cases linear(String part, String other, String message) {
      return of(Sweeps.LINEAR, part, other, message);
    }

    Cases scaleFree(String part, String other, String message) {
      return of(Sweeps.SCALE_FREE, part, other, message);
    }

    Cases fixed(String part, String other, String message) {
      return of(Sweeps.FIXED, part, other, message);
    }
  }

  static List<Arguments> topLevel() {
    return new Cases()
        .linear("version: 1\n", "", "1: version is missing; write version: 1")
        .linear("version: 1", "version: '1'", "1: version must be a number; was \"1\"")
        .linear("name: probe\n", "", "1: name is missing; name the study")
        .linear(
            "name: probe",
            "name: My Probe",
            "2: name must be at most 64 lower-case letters, digits and dashes, no dash first; was"
                + " My Probe")
        .linear("name: probe", "name: [a, b]", "2: name must be text; was a list")
        .linear(
            "name: probe",
            "name:",
            "2: name has no value: give one or leave the key out; was empty")
        .linear(
            "name: probe\n",
            "name: probe\nname: other\n",
            "3: name appears twice (first on line 2)")
        .linear(
            "description:",
            "descripton:",
            "3: descripton is not a known key; did you mean description?")
        .linear(
            "description: A linear probe",
            "colour: red",
            "3: colour is not a known key; known here: version, name, description, schedule, data, features,"
                + " budget, search, train, run, output")
        .linear("description: A linear probe", "? [a]\n: b", "3: a key must be a word")
        .linear(
            "run: {parallelTrials: 2, noise: {seed: 7}}",
            "run: 2",
            "43: run must be a mapping of keys to values; was 2")
        .linear(
            "noise: {seed: 7}",
            "noise: {}",
            "43: run.noise.grid is missing; write noise: secure, or noise: {grid: 30},"
                + " or noise: {seed: 7}")
        .linear(
            "noise: {seed: 7}",
            "noise: {seed: 9007199254740993}",
            "43: run.noise.seed must be a whole number from 0 to 9007199254740991; was"
                + " 9007199254740993")
        .linear(
            "noise: {seed: 7}",
            "noise: secret",
            "43: run.noise must be one of secure; was secret; did you mean secure?")
        .linear(
            "parallelTrials: 2",
            "parallelTrials: 65",
            "43: run.parallelTrials must be a whole number from 1 to 64; was 65")
        .linear(
            "directory: out",
            "directory: \"a\\0b\"",
            "44: output.directory must be a path; was" + " \"a?b\"")
        .linear(
            "directory: out",
            "directory: '${RUNS}/a'",
            "44: output.directory needs the environment variable RUNS, which is not set; was"
                + " \"${RUNS}/a\"")
        .all;
  }

  static List<Arguments> data() {
    return new Cases()
        .linear(
            "    path: ${DATA}/train.csv.gz\n    format",
            "    format",
            "6: data.private.path is missing; name the file")
        .linear(
            "path: test.csv.gz",
            "path: ${DATA",
            "17: data.test.path must name environment variables as ${NAME}; was ${DATA")
        .linear(
            "    format: csv\n",
            "",
            "6: data.private.format is missing; one of csv, idx, libsvm, npy, npz")
        .linear(
            "    classes: [no, yes]\n",
            "",
            "6: data.private.classes is missing; give the number of classes, or the list of labels,"
                + " in public")
        .linear(
            "    rows: 60000\n",
            "",
            "6: data.private.rows is missing; state the number of rows in public: noise and steps"
                + " are scaled by it")
        .linear(
            "rows: 60000",
            "rows: 1e300",
            "11: data.private.rows must be a whole number from 1 to 1099511627776; was 1e300")
        .linear(
            "rows: 60000",
            "rows: 60000.5",
            "11: data.private.rows must be a whole number from 1 to 1099511627776; was 60000.5")
        .linear(
            "classes: [no, yes]",
            "classes: [no, no]",
            "10: data.private.classes must be two or more different labels; was no, no")
        .linear(
            "classes: [no, yes]",
            "classes: [no, {a: b}]",
            "10: data.private.classes[1] must be a word or a number")
        .linear(
            "classes: [no, yes]",
            "classes: many",
            "10: data.private.classes must be a number; was many")
        .linear(
            "path: test.csv.gz",
            "path: test.csv.gz\n    classes: [a, b, c]",
            "18: data.test.classes must be as many as data.private has (2); was 3")
        .linear(
            "header: true",
            "header: perhaps",
            "8: data.private.header must be true or false; was" + " perhaps")
        .linear(
            "header: true",
            "header: off",
            "9: data.private.label names a column, which needs header: true; was income")
        .linear(
            "header: true",
            "header: true\n    delimiter: \"#\"",
            "9: data.private.delimiter must be one character, no quote and no #; was \"#\"")
        .linear(
            "header: true",
            "header: true\n    delimiter: \"\\U0001F600\"",
            "9: data.private.delimiter must be one character, no quote and no #; was \"\uD83D\uDE00\"")
        .linear(
            "header: true",
            "header: true\n    labels: b.idx",
            "9: data.private.labels is for idx and npy only; was given with csv")
        .linear(
            "range: {first: 1, last: 60000}",
            "range: {first: 5, last: 4}",
            "12: data.private.range.last must be at least first (5); was 4")
        .linear(
            "range: {first: 1, last: 60000}",
            "range: {first: 0, last: 4}",
            "12: data.private.range.first must be a whole number from 1 to 1099511627776; was 0")
        .scaleFree(
            "rows: 10000}\n",
            "rows: 10000}\n  test: {path: b.libsvm, private: true}\n",
            "5: data.test.rows is missing; private rows need a public statement about their"
                + " number")
        .linear(
            "path: test.csv.gz",
            "path: test.csv.gz\n    private: true\n    rows: 10",
            "17: data.test is private, so its figure is charged like a score: give search.score an"
                + " epsilon; was private: true")
        .linear(
            "  test:\n    path: test.csv.gz",
            "  public: {path: a}",
            "16: data.public is not used by noisy-gd; leave it out; was given")
        .scaleFree(
            "features: 20, ",
            "",
            "4: data.private.features is missing; state the number of columns in public: libsvm"
                + " files do not say it")
        .scaleFree(
            "features: 20",
            "features: 1e9",
            "4: data.private.features must be a whole number from 1 to 524287; was 1e9")
        .scaleFree(
            "rows: 10000}\n",
            "rows: 10000}\n  test: {path: b.libsvm, features: 21}\n",
            "5: data.test.features must be as many as data.private has (20); was 21")
        .scaleFree(
            "classes: 3",
            "classes: 3, header: true",
            "4: data.private.header is for csv only; was given with libsvm")
        .scaleFree(
            "classes: 3",
            "target: {min: 3, max: 3}",
            "4: data.private.target.max must be above min (3); was 3")
        .scaleFree(
            "classes: 3",
            "classes: 3, target: {min: 0, max: 3}",
            "4: data.private.target is for regression, where there are no classes; was both given")
        .fixed(
            "path: a.idx",
            "path: [a.idx, c.idx]",
            "5: data.private.labels must be as many files as path (2); was 1")
        .fixed(
            "path: a.idx", "path: []", "5: data.private.path must name a file; was an empty list")
        .fixed(
            "data:\n",
            "data:\n  cache: runs/features\n",
            "4: data.cache holds private features, so it must not be in the output directory; was"
                + " runs/features")
        .fixed(
            "labels: b.idx, ",
            "",
            "5: data.private.labels is missing; idx keeps labels in a file of their own")
        .fixed(
            "rows: 60000}\n",
            "rows: 60000}\n  test: {path: b.csv, format: csv, private: true, rows: 10}\n",
            "6: data.test must be public where the strategy is fixed: nothing is scored; was"
                + " private: true")
        .all;
  }

  static List<Arguments> featuresAndBudget() {
    return new Cases()
        .linear(
            "{type: l2-normalize}",
            "{type: l2-normalise}",
            "20: features[1].type must be one of scale, l2-normalize, group-norm, hog, scattering,"
                + " random-fourier, polynomial, private-mean; was l2-normalise; did you mean l2-normalize?")
        .linear(
            "{type: l2-normalize}",
            "{type: scattering, height: 28, width: 28}",
            "6: data.private.features is missing; state the number of columns in public: the"
                + " feature maps change it")
        .scaleFree(
            "budget:",
            "features: [{type: scattering, height: 28, width: 28}]\nbudget:",
            "5: features must suit data.private: scattering of images of 28 x 28 with 1 channels is"
                + " not for rows of 20 values; was a list")
        .scaleFree(
            "budget:",
            "features: [{type: group-norm, channels: 10, groups: 3}]\nbudget:",
            "5: features[0].type has numbers that do not go together: group-norm needs a number of"
                + " groups that divides that of channels; had 3 groups and 10 channels; was"
                + " group-norm")
        .scaleFree(
            "budget:",
            "features: [{type: polynomial}]\nbudget:",
            "5: features[0].degree is missing; polynomial needs it, a whole number from 1 to"
                + " 1048576")
        .linear(
            "{type: l2-normalize}",
            "l2-normalize",
            "20: features[1] must be a mapping of keys to values; was l2-normalize")
        .linear(
            "min: 0, max: 255",
            "min: 0",
            "19: features[0].max is missing; scale needs public bounds")
        .linear(
            "min: 0, max: 255",
            "min: 255, max: 255",
            "19: features[0].max must be above min (255); was 255")
        .linear(
            "min: 0, max: 255",
            "min: 0, max: 1e308",
            "19: features[0].max must be from -1e30 to 1e30; was 1e308")
        .linear(
            "{type: l2-normalize}",
            "{type: l2-normalize, min: 0}",
            "20: features[1].min is not a known key; known here: type")
        .linear(
            "  epsilon: 1.0\n",
            "",
            "22: budget.epsilon is missing; the guarantee of the whole study is (epsilon, delta)")
        .linear("epsilon: 1.0", "epsilon: 0", "22: budget.epsilon must be from 1e-6 to 1e6; was 0")
        .linear(
            "epsilon: 1.0",
            "epsilon: 1e999",
            "22: budget.epsilon must be from 1e-6 to 1e6; was 1e999")
        .linear("epsilon: 1.0", "epsilon: one", "22: budget.epsilon must be a number; was one")
        .linear("epsilon: 1.0", "epsilon: .nan", "22: budget.epsilon must be a number; was .nan")
        .linear(
            "delta: 1.0e-5",
            "delta: 1.7e-5",
            "23: budget.delta must be above 0 and below 1/rows (1.6e-5); was 1.7e-5")
        .linear(
            "delta: 1.0e-5",
            "delta: 0",
            "23: budget.delta must be above 0 and below 1/rows (1.6e-5); was 0")
        .linear(
            "adjacency: replace-one",
            "adjacency: add-one",
            "24: budget.adjacency must be one of add-remove, replace-one; was add-one")
        .linear(
            "adjacency: replace-one",
            "account: MNIST",
            "24: budget.account must be small letters, digits and hyphens, 64 at most; was MNIST")
        .all;
  }

  static List<Arguments> searchAndTraining() {
    return new Cases()
        .linear(
            "  strategy: linear-scaling\n",
            "",
            "26: search.strategy is missing; one of scale-free, linear-scaling, random, grid,"
                + " random-stopping, subsampled-tuning, fixed, oracle")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}",
            "learningRate: {min: 10, max: 0.01}",
            "28: search.space.learningRate.max must be at least min (10); was 0.01")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}",
            "learningRate: {max: 10}",
            "28: search.space.learningRate.min is missing; a range needs min and max")
        .linear(
            "scale: linear",
            "scale: liner",
            "28: search.space.learningRate.scale must be one of log, linear; was liner; did you mean"
                + " linear?")
        .linear(
            "min: 0.01",
            "min: 1e-300",
            "28: search.space.learningRate.min must be from 1e-9 to 1e9; was 1e-300")
        .linear(
            "    steps: {min: 5, max: 200}\n",
            "",
            "28: search.space.steps is missing; give min and max")
        .linear(
            "steps: {min: 5, max: 200}",
            "steps: {min: 5, max: 2}",
            "29: search.space.steps.max must be at least min (5); was 2")
        .linear(
            "steps: {min: 5, max: 200}",
            "steps: 2.5",
            "29: search.space.steps must be a whole number from 1 to 1000000; was 2.5")
        .linear(
            "    steps: {min: 5, max: 200}\n",
            "    steps: {min: 5, max: 200}\n    radius: 3\n",
            "30: search.space.radius and learningRate say the same thing twice; was both given")
        .linear(
            "learningRate: {min: 0.01, max: 10, scale: linear}\n    steps: {min: 5, max: 200}",
            "steps: {min: 5, max: 200}",
            "28: search.space.learningRate is missing; give learningRate, radius or logitNoise")
        .of(
            Sweeps.edited(
                Sweeps.LINEAR,
                "learningRate: {min: 0.01, max: 10, scale: linear}",
                "radius: {min: 1, max: 9}"),
            "sample-steps",
            "independent",
            "34: search.decompose must be sample-steps where the space has no learningRate; was"
                + " independent")
        .linear(
            "  sweeps:\n    - {epsilon: 0.1, trials: 3}\n    - {epsilon: 0.2, trials: 3}\n",
            "",
            "26: search.sweeps is missing; list rounds of cheap trials, such as {epsilon: 0.2,"
                + " trials: 3}")
        .linear(
            "    - {epsilon: 0.1, trials: 3}\n    - {epsilon: 0.2, trials: 3}\n",
            "    {epsilon: 0.1, trials: 3}\n",
            "31: search.sweeps must be a list; was a mapping")
        .linear(
            "    - {epsilon: 0.2, trials: 3}\n",
            "",
            "31: search.sweeps must have at least 2 different epsilons for a fit of degree 1; was 1")
        .linear(
            "epsilon: 0.2",
            "epsilon: 0.1",
            "31: search.sweeps must have at least 2 different epsilons for a fit of degree 1; was 1")
        .linear(
            "degree: 1",
            "degree: 2",
            "31: search.sweeps must have at least 3 different epsilons for a fit of degree 2; was 2")
        .linear(
            "degree: 1",
            "degree: 6",
            "33: search.fit.degree must be a whole number from 1 to 5; was 6")
        .linear(
            "{epsilon: 0.1, trials: 3}",
            "{epsilon: 0.1}",
            "31: search.sweeps[0].trials is missing; each sweep needs epsilon and trials")
        .linear(
            "{epsilon: 0.1, trials: 3}",
            "{epsilon: 0.1, trials: 9999}",
            "31: search.sweeps must have at most 10000 trials together; was 10002")
        .linear(
            "axis: epsilon",
            "axis: epsilom",
            "33: search.fit.axis must be one of mu, epsilon; was epsilom; did you mean epsilon?")
        .linear(
            "  score: {on: validation}\n",
            "",
            "26: search.score is missing; write {on: validation} for public rows or {on: private,"
                + " epsilon: 0.02}")
        .linear("{on: validation}", "{}", "36: search.score.on is missing; validation or private")
        .linear(
            "{on: validation}",
            "{on: private}",
            "36: search.score.epsilon is missing; a score of private rows is charged: say how much"
                + " it may cost")
        .linear(
            "{on: validation}",
            "{on: private, epsilon: 0.02, uncharged: true}",
            "36: search.score.epsilon is what a charged score costs, and uncharged is given;"
                + " was given")
        .scaleFree(
            "{on: private, epsilon: 0.02}",
            "{on: validation}",
            "10: search.score.on needs data.validation; was validation")
        .scaleFree(
            "  sweeps:\n    - {epsilon: 0.2, trials: 3}\n",
            "  sweeps: []\n",
            "8: search.sweeps must have at least one entry; was empty")
        .scaleFree(
            "  sweeps:",
            "  degree: 1\n  sweeps:",
            "8: search.degree is not a known key; known here: strategy, sweeps, space, score")
        .fixed(
            "steps: 40}\n",
            "steps: 40}\n  score: {on: private, epsilon: 0.1}\n",
            "10: search.score is for strategies with trials; fixed has none; was given")
        .fixed(
            "learningRate: 2.5",
            "learningRate: {min: 1, max: 2}",
            "9: search.space.learningRate must be a number; was a mapping")
        .linear(
            "method: noisy-gd",
            "method: noisy-sgd",
            "38: train.method must be one of noisy-gd, fully-private, adamix, dp-sgd, dp-adam,"
                + " dp-adam-wosm, sgd-adv, only-public, not-private,"
                + " ppsgd, ppgd, agd, output-perturbation,"
                + " objective-perturbation, pnsgd, pate, dp-zo; was"
                + " noisy-sgd; did you mean noisy-gd?")
        .linear(
            "classes: [no, yes]",
            "classes: 3",
            "39: train.loss logistic needs 2 classes; was 3 classes")
        .linear(
            "classes: [no, yes]",
            "target: {min: 0, max: 9}",
            "39: train.loss must be squared where targets are real; was logistic")
        .linear(
            "loss: logistic",
            "loss: hinge\n  huberWidth: 0.5",
            "40: train.huberWidth is for huber-hinge only; was given with hinge")
        .linear(
            "loss: logistic",
            "loss: squared\n  predictionBound: 0.5",
            "40: train.predictionBound must be from 1 to 1e6; was 0.5")
        .linear(
            "clipNorm: 0.5",
            "clipNorm: 1e-40",
            "40: train.clipNorm must be from 1e-30 to 1e30; was 1e-40")
        .linear(
            "momentum: 0.8",
            "momentum: 1",
            "41: train.momentum must be at least 0 and below 1; was 1")
        .linear(
            "freeStep: false",
            "freeStep: \"false\"",
            "42: train.freeStep must be true or false; was \"false\"")
        .all;
  }

  @ParameterizedTest
  @MethodSource({"topLevel", "data", "featuresAndBudget", "searchAndTraining"})
  void brokenAlone_isNamedWithLineRuleAndValue(String text, String message) {
    assertThat(Sweeps.problems(text)).containsExactly(message);
  }

  @Test
  void anEmptyFile_isNoSweep() {
    String rule = "1: a sweep file is a mapping of keys to values, beginning with version: 1";

    assertThat(Sweeps.problems("")).containsExactly(rule);
    assertThat(Sweeps.problems("# nothing but a comment\n")).containsExactly(rule);
    assertThat(Sweeps.problems("- a\n- b\n")).containsExactly(rule);
    assertThat(Sweeps.problems("just a line")).containsExactly(rule);
  }

  @Test
  void anEmptyMapping_missesEveryRequiredKey() {
    assertThat(Sweeps.problems("{}"))
        .containsExactly(
            "1: version is missing; write version: 1",
            "1: name is missing; name the study",
            "1: data is missing; name the private rows",
            "1: budget is missing; give epsilon and delta",
            "1: search is missing; choose a strategy");
  }

  @Test
  void textThatIsNotYaml_isRefusedWithItsLine() {
    assertThat(Sweeps.problems("version: 1\nname: [a\nbudget: 1\n"))
        .singleElement()
        .asString()
        .startsWith("3: this is not YAML: ");
    assertThat(Sweeps.problems("version: 1\nname: \"\\UFFFFFFFF\"\n"))
        .singleElement()
        .asString()
        .contains("this is not YAML: ");
    assertThat(Sweeps.problems("version: 1\nname: a\u0001\n"))
        .singleElement()
        .asString()
        .contains("this is not YAML: ");
  }

  @Test
  void tabsForIndents_areRefusedWithTheirLine() {
    assertThat(Sweeps.problems("version: 1\nbudget:\n\tepsilon: 1\n"))
        .singleElement()
        .asString()
        .startsWith("3: this is not YAML: ")
        .contains("TAB");
  }

  @Test
  void severalDocuments_areRefused() {
    assertThat(Sweeps.problems(Sweeps.LINEAR + "---\nversion: 1\n"))
        .containsExactly("46: a sweep file holds one document, and here is a second one");
  }

  @Test
  void anchorsAndAliases_areRefusedWithTheirLines() {
    String text = Sweeps.edited(Sweeps.LINEAR, "name: probe", "name: &n probe");
    text = Sweeps.edited(text, "description: A linear probe", "description: *n");

    assertThat(Sweeps.problems(text))
        .containsExactly("2: anchors (&) and aliases (*) are not allowed; write the value out");
  }

  @Test
  void aliasesThatGrowExponentially_areRefusedAtOnce() {
    StringBuilder text = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      text.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(Sweeps.problems(text.toString())).hasSize(40);
  }

  @Test
  void aValueThatHoldsItself_isRefused() {
    assertThat(Sweeps.problems("version: &a [*a]\n"))
        .containsExactly("1: anchors (&) and aliases (*) are not allowed; write the value out");
  }

  @Test
  void deepNesting_isRefused() {
    assertThat(Sweeps.problems("a: " + "[".repeat(40_000) + "]".repeat(40_000)))
        .containsExactly("this is nested too deeply for a sweep");
    assertThat(Sweeps.problems("a: " + "{b: ".repeat(20_000) + "}".repeat(19_000)))
        .singleElement()
        .asString()
        .doesNotContain("Exception");
  }

  @Test
  void aFileThatIsTooLong_isRefused() {
    assertThat(Sweeps.problems(Sweeps.LINEAR + "#".repeat(100_000)))
        .containsExactly("a sweep file has at most 100000 characters");
  }
}
