package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;

/** Opens clipped sums. */
@FunctionalInterface
public interface ClippedSums {
  /**
   * May read the rows at once, to prepare them.
   *
   * @throws IllegalArgumentException if {@code loss} is not made for so many classes
   */
  ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip);
}
