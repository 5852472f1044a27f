package io.mutune.trainer.table;

import java.util.List;
import java.util.stream.Stream;

/** What columns whose missing cells are filled have in common: one number more, the flag. */
final class Fill {
  private Fill() {}

  static List<String> withFlag(List<String> features, String column, boolean filled) {
    return filled
        ? Stream.concat(features.stream(), Stream.of(column + " (missing)")).toList()
        : features;
  }

  /** Sets the flag. */
  static CellFit flag(float[] row, int at) {
    row[at] = 1;
    return CellFit.FILLED;
  }
}
