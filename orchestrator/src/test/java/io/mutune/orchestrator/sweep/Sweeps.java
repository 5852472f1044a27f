package io.mutune.orchestrator.sweep;

import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Sweeps for tests. Their paths lead nowhere, so that whoever reads a row fails. */
public final class Sweeps {
  public static final String FILE = "probe.yaml";

  public static final SweepContext CONTEXT =
      new SweepContext(
          Path.of("/nowhere/sweeps"), Path.of("/nowhere/work"), Map.of("DATA", "data"));

  /** What a search is of: its rows and its budget. */
  public static final String HEAD =
      """
      version: 1
      name: probe
      data:
        private: {path: a.csv, format: csv, features: 20, classes: 3, rows: 10000}
      budget: {epsilon: 1, delta: 1.0e-5}
      """;

  /** Random stopping with a charged score. */
  public static final String STOPPING =
      HEAD
          + """
      search:
        strategy: random-stopping
        space: {learningRate: {min: 0.1, max: 9}, steps: {min: 20, max: 60}}
        runs: {mean: 8}
        score: {on: private, epsilon: 0.1}
      """;

  /** Tuning on samples with a charged score. */
  public static final String SAMPLES =
      HEAD
          + """
      search:
        strategy: subsampled-tuning
        epsilon: 0.5
        sampleRate: 0.2
        space: {logitNoise: {min: 0.1, max: 10}, steps: 40}
        runs: {mean: 8}
        score: {on: private, epsilon: 0.3}
      """;

  /** Every key that linear scaling knows, with a value other than its default. */
  public static final String LINEAR =
      """
      version: 1
      name: probe
      description: A linear probe
      data:
        private:
          path: ${DATA}/train.csv.gz
          format: csv
          header: true
          label: income
          classes: [no, yes]
          rows: 60000
          range: {first: 1, last: 60000}
        validation:
          path: ${DATA}/train.csv.gz
          range: {first: 60001, last: 61000}
        test:
          path: test.csv.gz
      features:
        - {type: scale, min: 0, max: 255}
        - {type: l2-normalize}
      budget:
        epsilon: 1.0
        delta: 1.0e-5
        adjacency: replace-one
      search:
        strategy: linear-scaling
        space:
          learningRate: {min: 0.01, max: 10, scale: linear}
          steps: {min: 5, max: 200}
        sweeps:
          - {epsilon: 0.1, trials: 3}
          - {epsilon: 0.2, trials: 3}
        fit: {degree: 1, axis: epsilon, guards: off}
        decompose: sample-steps
        seed: 11
        score: {on: validation}
      train:
        method: noisy-gd
        loss: logistic
        clipNorm: 0.5
        momentum: 0.8
        freeStep: false
      run: {parallelTrials: 2, noise: secure}
      output: {directory: out}
      """;

  /** The recommended strategy, with charged scores. */
  public static final String SCALE_FREE =
      """
      version: 1
      name: recommended
      data:
        private: {path: a.libsvm, format: libsvm, features: 20, classes: 3, rows: 10000}
      budget: {epsilon: 1, delta: 1.0e-5}
      search:
        strategy: scale-free
        sweeps:
          - {epsilon: 0.2, trials: 3}
        score: {on: private, epsilon: 0.02}
      """;

  /** No tuning at all. */
  public static final String FIXED =
      """
      version: 1
      name: plain
      data:
        private:
          {path: a.idx, labels: b.idx, format: idx, classes: 10, rows: 60000}
      budget: {epsilon: 1, delta: 1.0e-5}
      search:
        strategy: fixed
        space: {learningRate: 2.5, steps: 40}
      """;

  private Sweeps() {}

  public static SweepDefinition read(String text) {
    return SweepReader.read(FILE, text, CONTEXT);
  }

  /** The messages about a file that is not valid, each without the file's name. */
  public static List<String> problems(String text) {
    try {
      SweepDefinition sweep = read(text);
      throw new AssertionError("was read without a problem: " + sweep);
    } catch (InvalidSweepException e) {
      return e.problems().stream()
          .map(Problem::toString)
          .map(line -> line.substring(FILE.length() + 1).strip())
          .toList();
    }
  }

  /** The text with one part of it, which is there once, written otherwise. */
  public static String edited(String text, String part, String other) {
    int at = text.indexOf(part);
    if (at < 0 || text.indexOf(part, at + 1) >= 0) {
      throw new IllegalArgumentException("not there once: " + part);
    }
    return text.replace(part, other);
  }
}
