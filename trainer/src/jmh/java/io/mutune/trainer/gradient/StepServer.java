package io.mutune.trainer.gradient;

import io.mutune.trainer.loss.SoftmaxLoss;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.noise.RowOrders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Computes one step for every line of standard input and answers with its nanoseconds, so that a
 * driver can take turns with another program. Arguments: rows, features, classes, trials, engine.
 */
public final class StepServer {
  private StepServer() {}

  public static void main(String[] args) throws IOException {
    int n = Integer.parseInt(args[0]);
    int features = Integer.parseInt(args[1]);
    int classes = Integer.parseInt(args[2]);
    int trials = Integer.parseInt(args[3]);
    PrivateRows rows = new PrivateRows(rows(n, features, classes));
    double[][] weights = new double[trials][];
    double[][] sums = new double[trials][features * classes];
    SplittableRandom random = new SplittableRandom(2);
    for (int t = 0; t < trials; t++) {
      weights[t] = random.doubles((long) features * classes, -0.05, 0.05).toArray();
    }
    boolean[] active = new boolean[trials];
    Arrays.fill(active, true);
    ClipNorm[] clips = new ClipNorm[trials];
    Arrays.fill(clips, ClipNorm.of(1));
    RowSample[] everyRow = new RowSample[trials];
    Arrays.fill(everyRow, RowSample.ALL);
    ClippedSums engine = Engine.valueOf(args[4]).sums(RowOrders.secret());
    try (FusedClippedSum sum = engine.openFused(rows, new SoftmaxLoss(), classes, List.of(clips));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      while (lines.readLine() != null) {
        long start = System.nanoTime();
        sum.compute(weights, clips, everyRow, sums, active);
        System.out.println(System.nanoTime() - start);
      }
    }
  }

  /** Uniform rows, cheaper to draw than normal ones, of about unit norm. */
  private static RowBlocks rows(int n, int features, int classes) {
    SplittableRandom random = new SplittableRandom(1);
    float size = (float) (2 * Math.sqrt(3.0 / features));
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int left = n; left > 0; left -= RowBlocks.BLOCK_ROWS) {
      int count = Math.min(left, RowBlocks.BLOCK_ROWS);
      float[] values = new float[count * features];
      for (int j = 0; j < values.length; j++) {
        values[j] = size * ((random.nextInt() >> 8) * 0x1p-24f);
      }
      blocks.add(new RowBlocks.Block(values, random.ints(count, 0, classes).toArray()));
    }
    return new RowBlocks(features, blocks);
  }
}
