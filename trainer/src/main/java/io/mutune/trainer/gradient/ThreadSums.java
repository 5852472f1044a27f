package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.RowLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Adds up blocks on the threads of this process, which take pieces until there are none. */
final class ThreadSums implements StepSums {
  private final RowLayout rows;
  private final WorkerThreads pool;
  private final BlockSums[] workers;
  private final int pieceBlocks;
  private final int pieces;
  private final AtomicInteger next = new AtomicInteger();
  private final IntConsumer work;
  private Step step;

  /**
   * @param first a step of all trials
   */
  ThreadSums(RowLayout rows, BlockKernel kernel, Step first, WorkerThreads pool) {
    this.rows = rows;
    this.pool = pool;
    this.step = first;
    pieceBlocks = BlockSums.pieceBlocks(rows.stride());
    pieces = (rows.blocks() + pieceBlocks - 1) / pieceBlocks;
    workers = new BlockSums[pool.threads()];
    double[] scales = KernelResiduals.scales(rows, first.loss(), first.classes());
    for (int t = 0; t < workers.length; t++) {
      workers[t] =
          new BlockSums(rows, kernel, scales, first.loss(), first.classes(), first.clips().length);
      // Else a row more, which may be a piece more, could make one more thread take memory. Of a
      // sample only those threads do that have a piece: samples differ in size anyway.
      if (!rows.isSample()) {
        workers[t].reserve();
      }
    }
    work = number -> work(workers[number]);
  }

  @Override
  public long[] add(Step asked) {
    step = asked;
    next.set(0);
    pool.run(work);
    int length = workers[0].length(asked);
    long[] all = workers[0].sums();
    for (int t = 1; t < workers.length; t++) {
      long[] more = workers[t].sums();
      for (int i = 0; i < length; i++) {
        all[i] += more[i];
      }
    }
    return all;
  }

  private void work(BlockSums worker) {
    worker.clear(step);
    for (int p = next.getAndIncrement(); p < pieces; p = next.getAndIncrement()) {
      worker.add(step, p * pieceBlocks, Math.min(rows.blocks(), (p + 1) * pieceBlocks));
    }
  }
}
