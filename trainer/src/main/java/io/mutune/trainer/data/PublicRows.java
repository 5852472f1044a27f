package io.mutune.trainer.data;

import java.util.List;

/** Rows that the sweep's author declares public: whatever is computed from them may be shown. */
public record PublicRows(RowBlocks blocks) {
  /** No rows, for what may do without. */
  public static PublicRows none() {
    return new PublicRows(new RowBlocks(1, List.of()));
  }

  /** How many there are; public as they are. */
  public long count() {
    return blocks.rows();
  }
}
