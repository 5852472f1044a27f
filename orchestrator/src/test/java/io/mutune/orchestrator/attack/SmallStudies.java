package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Sweeps over made-up rows, and stores with something wrong. */
final class SmallStudies {
  static final String SCALE_FREE =
      """
      search:
        strategy: scale-free
        space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 6}
        sweeps:
          - {epsilon: 0.4, trials: 3}
        score: {on: private, epsilon: 0.3}
      """;

  static final RunEnvironment ENVIRONMENT =
      new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false);

  private SmallStudies() {}

  /**
   * {@code rows} rows of {@code features} features in {@code private.csv}, 60 in {@code test.csv}.
   */
  static AttackedSweep sweep(Path folder, int rows, int features, String search)
      throws IOException {
    return sweep(folder, rows, features, search, "simulated", 2);
  }

  static AttackedSweep sweep(
      Path folder, int rows, int features, String search, String declared, double epsilon)
      throws IOException {
    write(folder.resolve("private.csv"), rows, features, 1);
    write(folder.resolve("test.csv"), 60, features, 2);
    String text =
        """
        version: 1
        name: small
        data:
          private: {path: private.csv, format: csv, label: last, classes: 3, rows: 200, declared: %s}
          validation: {path: test.csv}
          test: {path: test.csv}
        features:
          - {type: scale, min: 0, max: 1}
          - {type: l2-normalize}
        budget: {epsilon: %s, delta: 1.0e-5}
        %strain: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
        run: {noise: secure}
        """
            .formatted(declared, epsilon, search);
    return attacked(folder, text);
  }

  static AttackedSweep attacked(Path folder, String text) throws IOException {
    SweepContext context = SweepContext.ofFile(folder.resolve("sweep.yaml"));
    return new AttackedSweep(
        SweepReader.read("sweep.yaml", text, context), text, context, TestStores.NO_OWNERS);
  }

  static void write(Path file, int rows, int features, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      int label = random.nextInt(3);
      for (int j = 0; j < features; j++) {
        double value = (j % 3 == label ? 0.8 : 0.3) + random.nextGaussian() / 10;
        text.append(String.format(Locale.ROOT, "%.4f,", Math.min(1, Math.max(0, value))));
      }
      text.append(label).append('\n');
    }
    Files.writeString(file, text);
  }

  static StudiesInMemory studies(AttackedSweep sweep, UnaryOperator<StudyStore> fault)
      throws IOException {
    return new StudiesInMemory(sweep, ENVIRONMENT, fault);
  }

  static UnchargedStudy uncharged(AttackedSweep sweep) throws IOException {
    return new UnchargedStudy(sweep, studies(sweep, store -> store));
  }

  /** Another store that knows the same study. */
  static StudyStore scratch(StudyStore real, String study) {
    StudyStore scratch = TestStores.inMemory();
    scratch.create(real.study(study).orElseThrow(), 20, AccountClaim.NONE);
    return scratch;
  }
}
