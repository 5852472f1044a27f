package io.mutune.trainer.gradient;

import io.mutune.trainer.data.ClusterReaders;
import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.noise.RowOrders;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.nd4j.linalg.factory.Nd4j;

/**
 * What computes clipped sums. They agree to about 1e-5 of the sum (relative, Frobenius).
 *
 * <p>No ND4J class is loaded before {@link #ND4J} is opened or asked whether it works. ND4J then
 * logs a dozen lines at INFO; to be rid of them set the logger {@code org.nd4j} to WARN.
 */
public enum Engine implements ClippedSums {
  /**
   * One pass over the rows in float32, on the JDK's Vector API where Java was started with {@code
   * --add-modules jdk.incubator.vector}. Its sums depend on the order of the rows in their last
   * digits; opened by {@link #open} the order is a new one each time, by {@link #sums} as told.
   */
  KERNEL {
    @Override
    public ClippedSums sums(RowOrders orders) {
      return KernelSums.on(null, orders, 0);
    }

    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
      return sums(RowOrders.secret()).open(rows, loss, classes, clip);
    }
  },
  /**
   * Rows in float32, matrix products in double by ND4J's BLAS; sums over units of several rows by
   * the kernel in plain Java.
   */
  ND4J {
    @Override
    public ClippedSums sums(RowOrders orders) {
      ClippedSums ofUnits =
          new KernelSums(orders, Kernels.plain(), Runtime.getRuntime().availableProcessors());
      return (rows, loss, classes, clip) ->
          (rows.blocks().units().isPresent() ? ofUnits : ND4J).open(rows, loss, classes, clip);
    }

    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
      if (rows.blocks().units().isPresent()) {
        return sums(RowOrders.secret()).open(rows, loss, classes, clip);
      }
      return new Nd4jClippedSum(
          rows.blocks(), loss.columns(classes), new ClippedResidual(loss, classes, clip));
    }
  },
  /** Plain Java in double: slower, and what the others are compared with. */
  REFERENCE {
    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
      return new ReferenceClippedSum(
          rows.blocks(), loss.columns(classes), new ClippedResidual(loss, classes, clip));
    }
  };

  private static final double MOST_SUM = 0x1p62;

  /** Beyond it a sum as a double rounds by more than neighbours' distances leave room for. */
  private static final double MOST_ROWS = 0x1p33;

  /** Of a trial: its weights, their sum, noise, mean and moments, and some to spare. */
  private static final int VECTORS = 8;

  /** Its weights, and its sum, copied and as bytes. */
  private static final int VECTORS_OF_A_PART = 3;

  /** Its name in documents. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The engine for many rows whose sums have to be in double. */
  public static Engine inDouble() {
    return ND4J;
  }

  /**
   * Whether sums are in double, and hold one row's part of them, where rows are their own units;
   * else they are accurate in units of their clip norm.
   */
  public boolean sumsInDouble() {
    return this != KERNEL;
  }

  /**
   * What its sums depend on beside its kind, by name: versions, arithmetic, threads. ND4J is loaded
   * where it is what computes.
   */
  public Map<String, String> circumstances() {
    return switch (this) {
      case KERNEL -> Kernels.circumstances();
      case ND4J -> Nd4jCircumstances.here();
      case REFERENCE -> Map.of("threads", "1");
    };
  }

  /**
   * This engine for one study.
   *
   * @param orders the order of the rows, where it matters: seeded for a study that is to repeat
   */
  public ClippedSums sums(RowOrders orders) {
    return this;
  }

  /**
   * The kernel for one study, with sums added up on a cluster: over all rows, and over Poisson
   * samples where its machines read the rows.
   *
   * @param statedRows how many may count as the sweep says, of people with all of theirs
   */
  public static ClippedSums on(Cluster cluster, RowOrders orders, long statedRows) {
    return KernelSums.on(cluster, orders, statedRows);
  }

  /**
   * The machines of a cluster as readers of files, each set in buckets of its own.
   *
   * @param orders the order of the rows, seeded for a study that is to repeat
   */
  public static ClusterReaders readers(Cluster cluster, RowOrders orders) {
    return new ClusterReaders() {
      @Override
      public ClusterRows read(RowFiles files, int buckets, long bytes) {
        return cluster.read(files, orders.buckets(buckets), bytes);
      }

      @Override
      public void check(RowFiles files, int buckets, long bytes, double working)
          throws IOException {
        cluster.check(files, orders.buckets(buckets), bytes, working);
      }
    };
  }

  /**
   * The most rows, or people, whose clipped gradients whole numbers hold the sum of, in half of
   * their range: one that passed it would come out as quite another. At most {@link #MOST_ROWS}.
   *
   * @param weights of the model
   */
  public static double mostRows(double weights) {
    return Math.min(MOST_ROWS, MOST_SUM * BlockSums.gridStep(weights));
  }

  /**
   * About how many bytes trials that run together take, however many rows there are.
   *
   * @param columns of weights of one trial, each with a weight a feature
   */
  public static double bytesBesideRows(int features, int columns, int trials) {
    double together = (double) columns * trials;
    return Runtime.getRuntime().availableProcessors() * BlockSums.bytes(features, together)
        + VECTORS * together * features * Double.BYTES;
  }

  /**
   * About how many bytes one task on a cluster takes beside its part of the rows, which it adds up.
   *
   * @param columns of weights of one trial, each with a weight a feature
   */
  public static double bytesBesideAPart(int features, int columns, int trials) {
    double together = (double) columns * trials;
    return BlockSums.bytes(features, together)
        + VECTORS_OF_A_PART * together * features * Double.BYTES;
  }

  /**
   * What suits most studies on this Java: ND4J where it was built for a GPU or there is no kernel.
   */
  public static Engine standard() {
    return standard(Kernels.vectorApi());
  }

  /**
   * What suits most studies on a Java that was started another way.
   *
   * @param vectorApi whether it has the JDK's Vector API
   */
  public static Engine standard(boolean vectorApi) {
    return vectorApi && !isForGpu() ? KERNEL : ND4J;
  }

  /**
   * Whether this engine can compute on this machine, so that a study finds out before it charges
   * anything. ND4J is loaded for that.
   */
  public boolean works() {
    try {
      return this != ND4J || Nd4j.getBackend() != null;
    } catch (LinkageError | RuntimeException e) {
      return false; // no backend: no GPU, or no driver for it
    }
  }

  private static boolean isForGpu() {
    ClassLoader loader = Engine.class.getClassLoader();
    return loader.getResource("org/nd4j/linalg/jcublas/JCublasBackend.class") != null;
  }
}
