package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;

/**
 * What computes clipped sums. They agree to about 1e-7 of the sum (relative, Frobenius).
 *
 * <p>No ND4J class is loaded before {@link #ND4J} is opened. ND4J then logs a dozen lines at INFO;
 * to be rid of them set the logger {@code org.nd4j} to WARN.
 */
public enum Engine implements ClippedSums {
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
  }
}
