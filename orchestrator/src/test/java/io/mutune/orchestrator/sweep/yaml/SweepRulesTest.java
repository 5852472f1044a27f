package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each rule of the format but those of the search and of training, broken alone: exactly one
 * message, with the line of the mistake.
 */
class SweepRulesTest {
  static List<Arguments> topLevel() {
    return new BrokenRules()
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
            "run: {parallelTrials: 2, noise: secure}",
            "run: 2",
            "43: run must be a mapping of keys to values; was 2")
        .linear(
            "noise: secure",
            "noise: {}",
            "43: run.noise.grid is missing; write noise: secure, or noise: {grid: 30},"
                + " or noise: {seed: 7}")
        .linear(
            "noise: secure",
            "noise: {seed: 9007199254740993}",
            "43: run.noise.seed must be a whole number from 0 to 9007199254740991; was"
                + " 9007199254740993")
        .linear(
            "noise: secure",
            "noise: secret",
            "43: run.noise must be one of secure; was secret; did you mean secure?")
        .linear(
            "parallelTrials: 2",
            "parallelTrials: 65",
            "43: run.parallelTrials must be a whole number from 1 to 64; was 65")
        .linear(
            "directory: out",
            "directory: \"a\\0b\"",
            "44: a text must be one line, without control characters")
        .linear(
            "delta: 1.0e-5",
            "delta: 1.0e-5\n  releases: [0.2, 0.1]",
            "24: budget.releases must ascend, each epsilon above the one before; was 0.1 after 0.2")
        .linear(
            "delta: 1.0e-5",
            "delta: 1.0e-5\n  release: [0.2]",
            "24: budget.release is not a known key; did you mean releases?")
        .linear(
            "directory: out",
            "deltas: [1e-6, 0]",
            "44: output.deltas must be from 1e-300 to 0.5 each; was 0")
        .linear(
            "directory: out",
            "deltas: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1,"
                + " 0.1, 0.1, 0.1, 0.1, 0.1]",
            "44: output.deltas must be at most 20; was 21")
        .linear(
            "directory: out",
            "delta: [1e-6]",
            "44: output.delta is not a known key; did you mean deltas?")
        .linear(
            "directory: out",
            "directory: '${RUNS}/a'",
            "44: output.directory needs the environment variable RUNS, which is not set; was"
                + " \"${RUNS}/a\"")
        .all;
  }

  static List<Arguments> data() {
    return new BrokenRules()
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
            "6: data.private.format is missing; one of csv, idx, images, jsonl, libsvm, npy, npz, parquet, tsv")
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
            "4: data.private.header is for csv and tsv only; was given with libsvm")
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
    return new BrokenRules()
        .linear(
            "{type: l2-normalize}",
            "{type: l2-normalise}",
            "20: features[1].type must be one of scale, l2-normalize, group-norm,"
                + " opponent-colours, hog, scattering, random-fourier, polynomial, constant, public-mean, private-mean; was l2-normalise; did you mean l2-normalize?")
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
            "20: features[1].min is not a known key; known here: type, columns")
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

  @ParameterizedTest
  @MethodSource({"topLevel", "data", "featuresAndBudget"})
  void brokenAlone_isNamedWithLineRuleAndValue(String text, String message) {
    assertThat(Sweeps.problems(text)).containsExactly(message);
  }
}
