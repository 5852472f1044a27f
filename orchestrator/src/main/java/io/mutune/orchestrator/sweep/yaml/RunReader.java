package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.noise.Grid;
import java.util.List;
import java.util.Optional;

/** Reads {@code run}: how many trials advance together, and where noise comes from. */
record RunReader(YamlSection root, Problems problems) {
  /** Where sharing a pass has paid off at 10 classes; docs/performance.md. */
  private static final int PARALLEL_TRIALS = 3;

  /** A coarser grid would not hold the credits that a score adds up. */
  private static final int COARSEST_GRID = 20;

  /** Finer than a double is at 1. */
  private static final int FINEST_GRID = 60;

  /** What {@code run} says, or what stands where it is left out. */
  RunSettings read() {
    Optional<YamlSection> run = root.section("run");
    int parallelTrials = run.flatMap(r -> r.count("parallelTrials", 1, 64)).orElse(PARALLEL_TRIALS);
    NoiseRule noise = run.flatMap(RunReader::noise).orElse(new NoiseRule.Secure());
    run.ifPresent(YamlSection::finish);
    return new RunSettings(parallelTrials, noise);
  }

  private static Optional<NoiseRule> noise(YamlSection run) {
    if (run.isMapping("noise")) {
      return run.section("noise")
          .flatMap(
              section -> {
                if (!section.has("seed") && !section.has("grid")) {
                  section.missing(
                      "grid", "write noise: secure, or noise: {grid: 30}, or noise: {seed: 7}");
                }
                Optional<Long> seed = section.integer("seed", 0, (1L << 53) - 1);
                Optional<Grid> grid =
                    section
                        .count("grid", COARSEST_GRID, FINEST_GRID)
                        .map(exponent -> new Grid(-exponent));
                section.finish();
                return Optional.of(
                    seed.<NoiseRule>map(s -> new NoiseRule.Seeded(s, grid))
                        .orElseGet(() -> new NoiseRule.Secure(grid)));
              });
    }
    return run.word("noise", List.of("secure")).map(word -> new NoiseRule.Secure());
  }

  /** Whoever reads the sweep can take seeded noise away, so it protects no row. */
  void refuseSeed(NoiseRule noise, DataReader data) {
    if (noise instanceof NoiseRule.Seeded seeded && !data.isOpen()) {
      root.broken(
          "run",
          "must not have a seed where rows need protection, be they data.private, data.validation or"
              + " data.test: the noise would be known. Declare the rows public or simulated, if they"
              + " are, or leave the seed out",
          "seed " + seeded.seed());
    }
  }

  /** Rounding is part of what a sum is charged for, so the sum's shape has to be public. */
  Optional<TrainDefinition> onGrid(
      Optional<TrainDefinition> train, NoiseRule noise, FeaturePipeline features, DataReader data) {
    if (noise.grid().isEmpty() || train.isEmpty()) {
      return train;
    }
    TrainingMethod method = train.get().method();
    Loss loss = train.get().loss();
    if (data.featureCount().isEmpty()) {
      root.broken(
          "run",
          "must not have noise on a grid unless data.private states features: rounding is charged"
              + " by the number of weights",
          "without features");
      return train;
    }
    if (!problems.none() || data.classCount().isEmpty()) {
      return train;
    }
    int width = features.outputs(data.featureCount().get());
    Optional<TrainingMethod> rounded =
        method.rounded(
            new SumRounding(noise.grid().get(), width, loss.columns(data.classCount().get())));
    if (rounded.isEmpty()) {
      root.broken(
          "run",
          "must not have noise on a grid with "
              + method.name()
              + ": what rounding costs is worked out for sums of one clip norm that is known"
              + " beforehand (noisy-gd, fully-private, dp-sgd, dp-adam, dp-adam-wosm, sgd-adv)",
          method.name());
      return train;
    }
    return Optional.of(new TrainDefinition(rounded.get(), loss));
  }
}
