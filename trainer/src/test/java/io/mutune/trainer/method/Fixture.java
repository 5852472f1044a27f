package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.Problem;
import io.mutune.trainer.model.SoftmaxLoss;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SeededNoise;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Settings, rows and runs that the tests of {@link NoisyGd} share. */
final class Fixture {
  static final AttemptStreams STREAMS = new AttemptStreams("study", 1, 1);
  static final int CLASSES = 3;

  private Fixture() {}

  static NoisyGd.Settings settings(int steps, double sigma, double clip, long publicRows) {
    return new NoisyGd.Settings(
        1,
        steps,
        0.9,
        true,
        ClipNorm.of(clip),
        NoiseMultiplier.of(sigma),
        Adjacency.ADD_REMOVE,
        publicRows,
        new SoftmaxLoss(),
        CLASSES);
  }

  /** One step of plain descent at η = 1, so that the weights are −g. */
  static NoisyGd.Settings oneStep(double sigma, double clip, long publicRows) {
    return new NoisyGd.Settings(
        1,
        1,
        0,
        false,
        ClipNorm.of(clip),
        NoiseMultiplier.of(sigma),
        Adjacency.ADD_REMOVE,
        publicRows,
        new SoftmaxLoss(),
        CLASSES);
  }

  static ReservedCharge charged(TrainingMethod method) {
    return () -> new Charge("trial 1", method.mechanism());
  }

  static TrainingRun seeded(ClippedSums engine, StepJournal journal) {
    return TrainingRun.fresh(engine, new SeededNoise(11), STREAMS, journal);
  }

  static TrainingRun seeded() {
    return seeded(Engine.REFERENCE, new RecordingJournal());
  }

  /** Standard normal rows whose label is the greatest of the first features. */
  static RowBlocks easyRows(int rows, int columns) {
    SplittableRandom random = new SplittableRandom(5);
    float[][] values = Problem.normalRows(random, rows, columns);
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      for (int c = 1; c < CLASSES; c++) {
        labels[i] = values[i][c] > values[i][labels[i]] ? c : labels[i];
      }
    }
    return Problem.blocks(values, labels);
  }

  static PrivateRows zeroRows(int rows, int columns) {
    float[][] values = new float[rows][];
    Arrays.fill(values, new float[columns]);
    return new PrivateRows(Problem.blocks(values, new int[rows]));
  }
}
