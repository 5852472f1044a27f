package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SeededNoise;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/** Settings, rows and runs that the tests of {@link NoisyGd} share. */
public final class Fixture {
  public static final AttemptStreams STREAMS = new AttemptStreams("study", 1, 1);
  public static final int CLASSES = 3;

  private Fixture() {}

  /** What is learned: three classes with the softmax loss, at a budget that no test looks at. */
  public static Problem problem(Adjacency adjacency, long publicRows) {
    return problem(new SoftmaxLoss(), CLASSES, adjacency, publicRows);
  }

  public static Problem problem(Loss loss, int classes, Adjacency adjacency, long publicRows) {
    Budget budget = new Budget(Epsilon.of(1), Delta.of(1e-5), adjacency);
    return new Problem(loss, classes, budget, publicRows);
  }

  public static Run run(double learningRate, int steps, double sigma) {
    return new Run(learningRate, steps, NoiseMultiplier.of(sigma));
  }

  /** A run of NoisyGD. */
  public static Training noisyGd(int steps, double sigma, double clip, long publicRows) {
    return new NoisyGd(ClipNorm.of(clip), 0.9, true)
        .training(
            problem(Adjacency.ADD_REMOVE, publicRows), run(1, steps, sigma), PublicInputs.NONE);
  }

  /** One step of plain descent at η = 1, so that the weights are −g. */
  public static Training oneStep(double sigma, double clip, long publicRows) {
    return new NoisyGd(ClipNorm.of(clip), 0, false)
        .training(problem(Adjacency.ADD_REMOVE, publicRows), run(1, 1, sigma), PublicInputs.NONE);
  }

  public static ReservedCharge charged(Training method) {
    return () -> new Charge("trial 1", method.mechanism());
  }

  public static TrainingAttempt seeded(ClippedSums engine, StepJournal journal) {
    return TrainingAttempt.fresh(engine, new SeededNoise(11), STREAMS, journal);
  }

  public static TrainingAttempt seeded() {
    return seeded(Engine.REFERENCE, new RecordingJournal());
  }

  /** The same attempt from its last checkpoint, after the steps that the journal knows as begun. */
  public static TrainingAttempt resumed(TrainingAttempt run, Optional<Iterate> from, int begun) {
    return new TrainingAttempt(
        run.engine(),
        run.noise(),
        run.streams(),
        run.journal(),
        from,
        begun,
        run.cancelled(),
        run.progress());
  }

  /** Public rows, and zero weights to begin from. */
  public static PublicInputs shown(PublicRows rows) {
    return new PublicInputs(Optional.of(rows), Optional.empty());
  }

  /** Standard normal rows whose label is the greatest of the first features. */
  public static RowBlocks easyRows(int rows, int columns) {
    SplittableRandom random = new SplittableRandom(5);
    float[][] values = TestRows.normalRows(random, rows, columns);
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      for (int c = 1; c < CLASSES; c++) {
        labels[i] = values[i][c] > values[i][labels[i]] ? c : labels[i];
      }
    }
    return TestRows.blocks(values, labels);
  }

  public static PrivateRows zeroRows(int rows, int columns) {
    float[][] values = new float[rows][];
    Arrays.fill(values, new float[columns]);
    return new PrivateRows(TestRows.blocks(values, new int[rows]));
  }
}
