package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.ScratchFile;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.noise.RowOrders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens sums on the own kernel. Rows are put in order once for each data set that is opened here,
 * however many sums are opened over it, and those of a sample once for each sample; one sum at a
 * time computes, on all threads. Safe for use by several threads.
 */
final class KernelSums implements ClippedSums {
  private final RowOrders orders;
  private final BlockKernel kernel;
  private final int threads;
  private final Path scratch;
  private final Lock turn = new ReentrantLock(true);
  private final Map<PrivateRows, RowLayout> layouts = new WeakHashMap<>();

  KernelSums(RowOrders orders, BlockKernel kernel, int threads) {
    this(orders, kernel, threads, ScratchFile.usualFolder());
  }

  /**
   * @param scratch where rows that are not in memory are put in order
   */
  KernelSums(RowOrders orders, BlockKernel kernel, int threads, Path scratch) {
    if (threads < 1) {
      throw new IllegalArgumentException("a sum needs a thread; was " + threads);
    }
    this.orders = orders;
    this.kernel = kernel;
    this.threads = threads;
    this.scratch = scratch;
  }

  /** On the fastest kernel and all processors. */
  KernelSums(RowOrders orders) {
    this(orders, Kernels.fastest(), Runtime.getRuntime().availableProcessors());
  }

  @Override
  public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
    FusedClippedSum fused = openFused(rows, loss, classes, List.of(clip));
    double[][] weights = new double[1][];
    double[][] sums = new double[1][];
    ClipNorm[] clips = new ClipNorm[1];
    RowSample[] samples = new RowSample[1];
    boolean[] active = {true};
    return new ClippedSum() {
      @Override
      public void compute(double[] w, double[] sum) {
        compute(w, clip, RowSample.ALL, sum);
      }

      @Override
      public void compute(double[] w, ClipNorm at, RowSample sample, double[] sum) {
        weights[0] = w;
        clips[0] = at;
        samples[0] = sample;
        sums[0] = sum;
        fused.compute(weights, clips, samples, sums, active);
      }

      @Override
      public void close() {
        fused.close();
      }
    };
  }

  @Override
  public FusedClippedSum openFused(PrivateRows rows, Loss loss, int classes, List<ClipNorm> clips) {
    loss.columns(classes);
    return new KernelClippedSum(layout(rows), orders, loss, classes, clips, kernel, threads, turn);
  }

  synchronized RowLayout layout(PrivateRows rows) {
    return layouts.computeIfAbsent(
        rows, unordered -> RowLayout.of(unordered.blocks(), orders, kernel.lanes(), scratch));
  }
}
