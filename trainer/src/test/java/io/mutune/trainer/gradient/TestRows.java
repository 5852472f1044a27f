package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Rows for tests, from a fixed seed: what is drawn is the same every time. */
public final class TestRows {
  private TestRows() {}

  /** Rows of standard normal features, cut into blocks of {@link RowBlocks#BLOCK_ROWS}. */
  public static float[][] normalRows(SplittableRandom random, int rows, int columns) {
    float[][] values = new float[rows][columns];
    for (float[] row : values) {
      for (int j = 0; j < columns; j++) {
        row[j] = (float) random.nextGaussian();
      }
    }
    return values;
  }

  /** Labels from 0 to {@code classes} − 1. */
  public static int[] labels(SplittableRandom random, int rows, int classes) {
    return random.ints(rows, 0, classes).toArray();
  }

  public static double[] weights(SplittableRandom random, int length) {
    return random.doubles(length, -1, 1).toArray();
  }

  public static RowBlocks blocks(float[][] rows, int[] labels) {
    int columns = rows[0].length;
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int from = 0; from < rows.length; from += RowBlocks.BLOCK_ROWS) {
      int count = Math.min(RowBlocks.BLOCK_ROWS, rows.length - from);
      float[] features = new float[count * columns];
      int[] blockLabels = new int[count];
      for (int i = 0; i < count; i++) {
        System.arraycopy(rows[from + i], 0, features, i * columns, columns);
        blockLabels[i] = labels[from + i];
      }
      blocks.add(new RowBlocks.Block(features, blockLabels));
    }
    return new RowBlocks(columns, blocks);
  }

  /** The clipped sum of these rows at these weights. */
  static double[] clippedSum(
      ClippedSums engine,
      float[][] rows,
      int[] labels,
      Loss loss,
      int classes,
      double clip,
      double[] w) {
    double[] sum = new double[w.length];
    PrivateRows data = new PrivateRows(blocks(rows, labels));
    try (ClippedSum clipped = engine.open(data, loss, classes, ClipNorm.of(clip))) {
      clipped.compute(w, sum);
    }
    return sum;
  }
}
