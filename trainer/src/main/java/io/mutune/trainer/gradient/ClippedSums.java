package io.mutune.trainer.gradient;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.loss.Loss;
import java.util.List;

/** Opens clipped sums. */
@FunctionalInterface
public interface ClippedSums {
  /**
   * May read the rows at once, to prepare them.
   *
   * @throws IllegalArgumentException if {@code loss} is not made for so many classes
   */
  ClippedSum open(PrivateRows rows, Loss loss, int classes, ClipNorm clip);

  /**
   * The sums of one trial for each clip norm, computed together where the engine can.
   *
   * @throws IllegalArgumentException if {@code loss} is not made for so many classes
   */
  default FusedClippedSum openFused(
      PrivateRows rows, Loss loss, int classes, List<ClipNorm> clips) {
    return new OneByOne(open(rows, loss, classes, clips.get(0)));
  }
}
