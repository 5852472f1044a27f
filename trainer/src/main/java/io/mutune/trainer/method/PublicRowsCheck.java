package io.mutune.trainer.method;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;

/** Whether public rows can be trained on; what is wrong is said, since they are public. */
final class PublicRowsCheck {
  private PublicRowsCheck() {}

  /**
   * @throws IllegalArgumentException if there are no rows, a label is no class, or a class has no
   *     row
   */
  static void require(PublicRows rows, int classes) {
    long[] counts = new long[classes];
    for (RowBlocks.Block block : rows.blocks().blocks()) {
      for (int label : block.labels()) {
        if (label < 0 || label >= classes) {
          throw new IllegalArgumentException(
              "a public row has the label index %d, which is none of %d classes"
                  .formatted(label, classes));
        }
        counts[label]++;
      }
    }
    for (int c = 0; c < classes; c++) {
      if (counts[c] == 0) {
        throw new IllegalArgumentException(
            "the public rows have no row of class index %d".formatted(c));
      }
    }
  }
}
