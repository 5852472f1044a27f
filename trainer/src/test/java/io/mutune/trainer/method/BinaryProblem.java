package io.mutune.trainer.method;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.noise.NoiseSource;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Two noisy classes in four features, for the methods of one logit. */
public final class BinaryProblem {
  public static final int FEATURES = 4;

  private BinaryProblem() {}

  /** Normal rows, some longer than 1; the label follows the first feature, 9 times of 10. */
  public static RowBlocks rows(long seed, int rows) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] values = TestRows.normalRows(random, rows, FEATURES);
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < FEATURES; j++) {
        values[i][j] *= 0.5f;
      }
      boolean above = values[i][0] > 0;
      labels[i] = above == (random.nextDouble() < 0.9) ? 1 : 0;
    }
    return TestRows.blocks(values, labels);
  }

  public static PrivateRows privateRows(int rows) {
    return new PrivateRows(rows(1, rows));
  }

  public static PublicRows publicRows(int rows) {
    return new PublicRows(rows(2, rows));
  }

  /** The same rows with the last one replaced, or another after them. */
  public static PrivateRows changed(PrivateRows rows, boolean replaced, float[] row, int label) {
    int count = (int) rows.blocks().rows();
    int kept = replaced ? count - 1 : count;
    float[][] values = new float[kept + 1][];
    int[] labels = new int[kept + 1];
    RowBlocks.Block block = rows.blocks().blocks().get(0);
    for (int i = 0; i < kept; i++) {
      values[i] = Arrays.copyOfRange(block.features(), i * FEATURES, (i + 1) * FEATURES);
      labels[i] = block.labels()[i];
    }
    values[kept] = row;
    labels[kept] = label;
    return new PrivateRows(TestRows.blocks(values, labels));
  }

  public static float[] longRow(float value) {
    float[] row = new float[FEATURES];
    Arrays.fill(row, value);
    return row;
  }

  public static TrainingAttempt run(NoiseSource noise, StepJournal journal) {
    return TrainingAttempt.fresh(Engine.REFERENCE, noise, Fixture.STREAMS, journal);
  }

  public static ReservedCharge charged(Training method) {
    return () -> new Charge("trial 1", method.mechanism());
  }

  public static double[] model(Training method, PrivateRows rows, NoiseSource noise) {
    return method.train(charged(method), rows, run(noise, new RecordingJournal())).weights();
  }
}
