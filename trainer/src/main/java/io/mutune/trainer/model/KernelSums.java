package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.noise.RowOrders;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens sums on the own kernel. Rows are put in order once for each data set that is opened here,
 * however many sums are opened over it, and one sum at a time computes, on all threads. Safe for
 * use by several threads.
 */
final class KernelSums implements ClippedSums {
  private final RowOrders orders;
  private final BlockKernel kernel;
  private final int threads;
  private final Lock turn = new ReentrantLock(true);
  private final Map<PrivateRows, RowLayout> layouts = new WeakHashMap<>();

  KernelSums(RowOrders orders, BlockKernel kernel, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("a sum needs a thread; was " + threads);
    }
    this.orders = orders;
    this.kernel = kernel;
    this.threads = threads;
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
    boolean[] active = {true};
    return new ClippedSum() {
      @Override
      public void compute(double[] w, double[] sum) {
        weights[0] = w;
        sums[0] = sum;
        fused.compute(weights, sums, active);
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
    return new KernelClippedSum(layout(rows), loss, classes, clips, kernel, threads, turn);
  }

  private synchronized RowLayout layout(PrivateRows rows) {
    return layouts.computeIfAbsent(
        rows,
        unordered ->
            new RowLayout(
                unordered.blocks(),
                orders.draw(Math.toIntExact(unordered.blocks().rows())),
                kernel.lanes()));
  }
}
