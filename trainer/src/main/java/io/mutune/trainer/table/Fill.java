package io.mutune.trainer.table;

/** What columns whose missing cells are filled have in common: one number more, the flag. */
final class Fill {
  private Fill() {}

  /** Sets the flag. */
  static CellFit flag(float[] row, int at) {
    row[at] = 1;
    return CellFit.FILLED;
  }
}
