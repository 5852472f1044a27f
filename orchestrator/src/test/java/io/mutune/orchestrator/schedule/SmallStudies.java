package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepContext;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Made-up rows in a folder, and sweeps over them that take no time. */
record SmallStudies(Path folder) {
  static SmallStudies in(Path folder) throws IOException {
    writeRows(folder.resolve("private.csv"), 300, 1);
    writeRows(folder.resolve("test.csv"), 60, 2);
    return new SmallStudies(folder);
  }

  private static void writeRows(Path file, int rows, long seed) throws IOException {
    Random random = new Random(seed);
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      for (int row = 0; row < rows; row++) {
        int label = random.nextInt(2);
        double x = Math.min(1, Math.max(0, 0.3 + 0.4 * label + random.nextGaussian() / 10));
        writer.write(String.format(Locale.ROOT, "%.4f,%.4f,%d%n", x, random.nextDouble(), label));
      }
    }
  }

  /** The same with the name of a data set that is registered in the store. */
  static Submission in(StudyStore store, Submission submission) {
    return new Submission(
        submission.file(),
        RegisteredSets.sweep(store, submission.context().sweepFolder(), submission.text()),
        submission.context());
  }

  /** With a private mean before everything else. */
  Submission withMean(String name, int trials, int steps) {
    Submission without = submission(name, trials, steps);
    return new Submission(
        without.file(),
        without
            .text()
            .replace(
                "features:\n", "features:\n  - {type: private-mean, epsilon: 0.4, clipNorm: 2}\n"),
        without.context());
  }

  Submission submission(String name, int trials, int steps) {
    return submission(name, trials, steps, "");
  }

  /**
   * @param more lines at the end of the sweep
   */
  Submission submission(String name, int trials, int steps, String more) {
    String text =
        """
        version: 1
        name: %s
        data:
          private: {path: private.csv, format: csv, label: last, classes: 2, rows: 300, features: 2, declared: simulated}
          test: {path: test.csv}
        features:
          - {type: l2-normalize}
        budget: {epsilon: 2, delta: 1.0e-5}
        train: {method: noisy-gd, loss: softmax}
        search:
          strategy: scale-free
          space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: %d}
          sweeps:
            - {epsilon: 0.4, trials: %d}
          score: {on: private, epsilon: 0.3}
        run: {noise: {seed: 7}}
        %s
        """
            .formatted(name, steps, trials, more);
    return new Submission(name + ".yaml", text, new SweepContext(folder, folder, Map.of()));
  }
}
