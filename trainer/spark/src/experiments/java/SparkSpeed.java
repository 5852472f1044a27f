import com.sun.management.OperatingSystemMXBean;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.FusedClippedSum;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.spark.SparkProvider;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Milliseconds a step on a cluster and in this process, and the processor time that a step on the
 * cluster takes of the driver: {@code SparkSpeed MASTER ROWSxFEATURESxCLASSESxTRIALS ...}. A fifth
 * number says how many rows the sweep states, and so into how many parts they are cut. Both take
 * turns, so that a machine whose speed changes changes both, of many steps each, so that each has
 * its rows in the caches.
 */
public final class SparkSpeed {
  private static final int WARM_UP = Integer.getInteger("warmUp", 400);
  private static final int TURNS = 5;
  private static final int OF_A_TURN = 25;

  /** After which the caches have this one's rows. */
  private static final int FIRST = 4;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] words) throws Exception {
    try (Cluster cluster = new SparkProvider().open(words[0], () -> false)) {
      for (String size : words) {
        if (!size.equals(words[0])) {
          int[] sizes = Arrays.stream(size.split("x")).mapToInt(Integer::parseInt).toArray();
          measure(cluster, size, sizes);
        }
      }
    }
  }

  private static void measure(Cluster cluster, String name, int[] sizes) {
    PrivateRows rows = rows(sizes[0], sizes[1], sizes[2]);
    long stated = sizes.length > 4 ? sizes[4] : sizes[0];
    // The first one has the threads of this process.
    try (Steps here = new Steps(Engine.KERNEL.sums(RowOrders.secret()), rows, sizes);
        Steps there = new Steps(Engine.on(cluster, RowOrders.secret(), stated), rows, sizes)) {
      List<Steps> both = List.of(there, here);
      long start = System.nanoTime();
      there.take(WARM_UP, false);
      double warm = (System.nanoTime() - start) / 1e9;
      here.take(WARM_UP, false);
      for (int turn = 0; turn < TURNS; turn++) {
        for (Steps steps : both) {
          steps.take(FIRST, false);
          steps.take(OF_A_TURN, true);
        }
      }
      System.out.printf(
          "%s: %.1f ms a step on the cluster, %.1f here, %.2f of the speed; at least %.1f and %.1f;"
              + " %.1f ms of the driver's processor time; %.1f s for the first %d on the cluster%n",
          name,
          there.time(0.5),
          here.time(0.5),
          here.time(0.5) / there.time(0.5),
          there.time(0),
          here.time(0),
          there.used / there.times.size(),
          warm,
          WARM_UP);
    }
  }

  /** Steps of some trials on one of the two. */
  private static final class Steps implements AutoCloseable {
    private final FusedClippedSum fused;
    private final ClipNorm[] clips;
    private final RowSample[] everyRow;
    private final double[][] weights;
    private final double[][] sums;
    private final boolean[] active;
    private final List<Double> times = new ArrayList<>();
    private double used;

    Steps(ClippedSums engine, PrivateRows rows, int[] sizes) {
      clips = new ClipNorm[sizes[3]];
      Arrays.fill(clips, ClipNorm.of(1));
      everyRow = new RowSample[sizes[3]];
      Arrays.fill(everyRow, RowSample.ALL);
      fused = engine.openFused(rows, new SoftmaxLoss(), sizes[2], List.of(clips));
      weights = new double[sizes[3]][sizes[1] * sizes[2]];
      sums = new double[sizes[3]][sizes[1] * sizes[2]];
      active = new boolean[sizes[3]];
      Arrays.fill(active, true);
    }

    void take(int count, boolean counted) {
      for (int step = 0; step < count; step++) {
        long start = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        fused.compute(weights, clips, everyRow, sums, active);
        if (counted) {
          times.add((System.nanoTime() - start) / 1e6);
          used += (SYSTEM.getProcessCpuTime() - cpu) / 1e6;
        }
        for (int t = 0; t < weights.length; t++) {
          for (int w = 0; w < weights[t].length; w++) {
            weights[t][w] -= 1e-4 * sums[t][w];
          }
        }
      }
    }

    /** Milliseconds of a step, that part of all others being faster. */
    double time(double part) {
      return times.stream().sorted().toList().get((int) (part * times.size()));
    }

    @Override
    public void close() {
      fused.close();
    }
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
