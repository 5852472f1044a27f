package io.mutune.trainer.gradient;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.file.ScratchFile;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.noise.RowOrders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens sums on the own kernel. Rows are put in order once for each data set that is opened here,
 * however many sums are opened over it, and those of a sample once for each sample; one sum at a
 * time computes, on all threads of its own. Safe for use by several threads.
 */
final class KernelSums implements ClippedSums {
  private final RowOrders orders;
  private final BlockKernel kernel;
  private final Supplier<WorkerThreads> threads;
  private final Path scratch;
  private final Lock turn = new ReentrantLock(true);
  private final Map<PrivateRows, RowLayout> layouts = new WeakHashMap<>();
  private final Map<PrivateRows, Cluster.Rows> held = new WeakHashMap<>();
  private final @Nullable Cluster cluster;
  private final long statedRows;

  KernelSums(RowOrders orders, BlockKernel kernel, int threads) {
    this(orders, kernel, threads, ScratchFile.usualFolder());
  }

  /**
   * @param scratch where rows that are not in memory are put in order
   */
  KernelSums(RowOrders orders, BlockKernel kernel, int threads, Path scratch) {
    this(orders, kernel, () -> new WorkerThreads(threads), scratch, null, 0);
  }

  private KernelSums(
      RowOrders orders,
      BlockKernel kernel,
      Supplier<WorkerThreads> threads,
      Path scratch,
      @Nullable Cluster cluster,
      long statedRows) {
    this.orders = orders;
    this.kernel = kernel;
    this.threads = threads;
    this.scratch = scratch;
    this.cluster = cluster;
    this.statedRows = statedRows;
  }

  /**
   * On the fastest kernel and the processors that are free, with sums over all rows added up on a
   * cluster. Samples are drawn and added up where the rows come from: here, or on the cluster where
   * it reads them.
   *
   * @param cluster null to add them up here
   * @param statedRows how many may count as the sweep says, of people with all of theirs
   */
  static KernelSums on(@Nullable Cluster cluster, RowOrders orders, long statedRows) {
    return new KernelSums(
        orders,
        Kernels.fastest(),
        WorkerThreads::ofFreeProcessors,
        ScratchFile.usualFolder(),
        cluster,
        statedRows);
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
    RowLayout layout = layout(rows);
    return new KernelClippedSum(
        layout,
        orders,
        loss,
        classes,
        clips,
        kernel,
        threads.get(),
        turn,
        rows.elsewhere().isPresent() || cluster != null ? new OnCluster(rows, layout) : null,
        rows.elsewhere().isEmpty());
  }

  /** Rows that one sum asks a cluster for. */
  private final class OnCluster implements Cluster.Rows {
    private final PrivateRows rows;
    private final RowLayout layout;
    private Cluster.@Nullable Rows found;

    OnCluster(PrivateRows rows, RowLayout layout) {
      this.rows = rows;
      this.layout = layout;
    }

    @Override
    public long[] add(PartSums sums) {
      if (found == null) {
        found = held(rows, layout);
      }
      return found.add(sums);
    }
  }

  /** Handed over once they are first asked for a sum. */
  private synchronized Cluster.Rows held(PrivateRows rows, RowLayout layout) {
    return held.computeIfAbsent(
        rows,
        unsent ->
            rows.elsewhere()
                .map(this::kept)
                .orElseGet(() -> handedOver(Objects.requireNonNull(cluster), layout)));
  }

  private Cluster.Rows handedOver(Cluster to, RowLayout layout) {
    int parts = to.parts(statedRows * layout.stride() * Float.BYTES);
    return to.hold(parts, part -> new RowPart(layout.part(part, parts)));
  }

  private Cluster.Rows kept(ClusterRows rows) {
    ClusterRows.Kept<RowPart> kept = rows.keep(new PartLayout(rows.buckets(), kernel.lanes()));
    return sums -> kept.add(sums::of);
  }

  /** Of rows that are elsewhere one without rows, which tells what they have in common. */
  synchronized RowLayout layout(PrivateRows rows) {
    return layouts.computeIfAbsent(
        rows,
        unordered -> {
          RowBlocks here =
              rows.elsewhere().isPresent()
                  ? new RowBlocks(rows.columns(), List.of())
                  : rows.blocks();
          RowBuckets buckets =
              rows.buckets() == 1 ? RowBuckets.one(orders) : orders.buckets(rows.buckets());
          return RowLayout.of(here, buckets, kernel.lanes(), scratch);
        });
  }
}
