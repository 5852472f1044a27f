package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.noise.RowOrders;

/**
 * What computes clipped sums. They agree to about 1e-6 of the sum (relative, Frobenius).
 *
 * <p>No ND4J class is loaded before {@link #ND4J} is opened. ND4J then logs a dozen lines at INFO;
 * to be rid of them set the logger {@code org.nd4j} to WARN.
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
      return new KernelSums(orders);
    }

    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
      return sums(RowOrders.secret()).open(rows, loss, classes, clip);
    }
  },
  /** Rows in float32, matrix products in double by ND4J's BLAS. */
  ND4J {
    @Override
    public ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip) {
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

  /**
   * This engine for one study.
   *
   * @param orders the order of the rows, where it matters: seeded for a study that is to repeat
   */
  public ClippedSums sums(RowOrders orders) {
    return this;
  }

  /** What suits most studies on this Java. */
  public static Engine standard() {
    return Kernels.vectorApi() ? KERNEL : ND4J;
  }
}
