package io.mutune.trainer.method;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How much of a step is secure noise: sum and noise in turns, medians by the clock and in CPU time.
 * On a busy machine the last figure is the one to read: noise on one thread beside a sum that has
 * all processors to itself. Arguments: rows, features, classes, rounds.
 */
public final class NoiseShare {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private NoiseShare() {}

  public static void main(String[] args) {
    int rows = Integer.parseInt(args[0]);
    int features = Integer.parseInt(args[1]);
    int classes = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    double[] weights = new SplittableRandom(2).doubles((long) features * classes).toArray();
    double[] sum = new double[weights.length];
    double[][] times = new double[4][rounds];
    AttemptStreams streams = new AttemptStreams("share", 1, 1);
    SecureNoise noise = new SecureNoise();
    try (ClippedSum clipped =
        Engine.KERNEL
            .sums(RowOrders.secret())
            .open(rows(rows, features, classes), new SoftmaxLoss(), classes, ClipNorm.of(1))) {
      for (int round = -rounds; round < rounds; round++) {
        Meter step = new Meter();
        clipped.compute(weights, sum);
        double[] ofStep = {step.wall(), step.cpu()};
        Meter drawing = new Meter();
        long before = THREADS.getCurrentThreadCpuTime();
        noise.stream(streams.step(rounds + round + 1)).addTo(sum, 10);
        double[] ofNoise = {
          drawing.wall(), (THREADS.getCurrentThreadCpuTime() - before) * 1e-9
        };
        if (round >= 0) {
          for (int k = 0; k < 2; k++) {
            times[k][round] = ofStep[k];
            times[k + 2][round] = ofNoise[k];
          }
        }
      }
    }
    double[] medians = Arrays.stream(times).mapToDouble(NoiseShare::median).toArray();
    double evenly = medians[1] / Runtime.getRuntime().availableProcessors();
    System.out.printf(
        Locale.ROOT,
        "sum %.2f ms (CPU %.2f), noise %.2f ms (CPU %.2f): %.1f%% of a step, %.1f%% of one on processors"
            + " of its own%n",
        medians[0] * 1e3,
        medians[1] * 1e3,
        medians[2] * 1e3,
        medians[3] * 1e3,
        100 * medians[2] / (medians[0] + medians[2]),
        100 * medians[3] / (evenly + medians[3]));
  }

  private static double median(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static PrivateRows rows(int n, int features, int classes) {
    SplittableRandom random = new SplittableRandom(1);
    double size = Math.sqrt(3.0 / features);
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int left = n; left > 0; left -= RowBlocks.BLOCK_ROWS) {
      int count = Math.min(left, RowBlocks.BLOCK_ROWS);
      float[] values = new float[count * features];
      for (int j = 0; j < values.length; j++) {
        values[j] = (float) random.nextDouble(-size, size);
      }
      blocks.add(new RowBlocks.Block(values, random.ints(count, 0, classes).toArray()));
    }
    return new PrivateRows(new RowBlocks(features, blocks));
  }
}
