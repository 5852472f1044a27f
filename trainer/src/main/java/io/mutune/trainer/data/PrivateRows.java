package io.mutune.trainer.data;

/**
 * Rows that need protection. Everything computed from them, their number included, is private until
 * a charged mechanism releases it. No package outside the trainer may call this (ArchUnit).
 */
public final class PrivateRows {
  private final RowBlocks rows;

  public PrivateRows(RowBlocks rows) {
    this.rows = rows;
  }

  public RowBlocks blocks() {
    return rows;
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "PrivateRows";
  }
}
