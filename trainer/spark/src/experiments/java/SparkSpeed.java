import com.sun.management.OperatingSystemMXBean;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.FusedClippedSum;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.spark.SparkProvider;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Milliseconds a step, the median and the least, on a cluster and in this process, one after the
 * other, and the processor time that a step takes of the driver: {@code SparkSpeed MASTER
 * ROWSxFEATURESxCLASSESxTRIALS ...}. A fifth number says how many rows the sweep states, and so into
 * how many parts they are cut.
 */
public final class SparkSpeed {
  private static final int WARM_UP = 400;
  private static final int STEPS = 51;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] words) throws Exception {
    try (Cluster cluster = new SparkProvider().open(words[0])) {
      for (String size : words) {
        if (size.equals(words[0])) {
          continue;
        }
        int[] sizes = Arrays.stream(size.split("x")).mapToInt(Integer::parseInt).toArray();
        PrivateRows rows = rows(sizes[0], sizes[1], sizes[2]);
        long stated = sizes.length > 4 ? sizes[4] : sizes[0];
        double[] there = step(Engine.on(cluster, RowOrders.secret(), stated), rows, sizes);
        double[] here = step(Engine.KERNEL.sums(RowOrders.secret()), rows, sizes);
        System.out.printf(
            "%s: %.1f ms a step on the cluster, %.1f here, %.2f of the speed; at least %.1f and"
                + " %.1f; %.1f ms of the driver's processor time%n",
            size, there[0], here[0], here[0] / there[0], there[1], here[1], there[2]);
      }
    }
  }

  private static double[] step(ClippedSums engine, PrivateRows rows, int[] sizes) {
    List<ClipNorm> clips = Collections.nCopies(sizes[3], ClipNorm.of(1));
    int length = sizes[1] * sizes[2];
    double[][] weights = new double[sizes[3]][length];
    double[][] sums = new double[sizes[3]][length];
    boolean[] active = new boolean[sizes[3]];
    Arrays.fill(active, true);
    List<Double> times = new ArrayList<>();
    double used = 0;
    try (FusedClippedSum fused = engine.openFused(rows, new SoftmaxLoss(), sizes[2], clips)) {
      for (int step = 0; step < WARM_UP + STEPS; step++) {
        long start = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        fused.compute(weights, sums, active);
        if (step >= WARM_UP) {
          times.add((System.nanoTime() - start) / 1e6);
          used += (SYSTEM.getProcessCpuTime() - cpu) / 1e6 / STEPS;
        }
        for (int t = 0; t < weights.length; t++) {
          for (int w = 0; w < length; w++) {
            weights[t][w] -= 1e-4 * sums[t][w];
          }
        }
      }
    }
    Collections.sort(times);
    return new double[] {times.get(times.size() / 2), times.get(0), used};
  }

  private static PrivateRows rows(int count, int columns, int classes) {
    SplittableRandom random = new SplittableRandom(count);
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int left = count; left > 0; left -= RowBlocks.BLOCK_ROWS) {
      int rows = Math.min(left, RowBlocks.BLOCK_ROWS);
      float[] features = new float[rows * columns];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) (random.nextDouble() - 0.5);
      }
      blocks.add(new RowBlocks.Block(features, random.ints(rows, 0, classes).toArray()));
    }
    return new PrivateRows(new RowBlocks(columns, blocks));
  }
}
