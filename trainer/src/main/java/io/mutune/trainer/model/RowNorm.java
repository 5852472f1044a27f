package io.mutune.trainer.model;

/** ‖x‖ of a float32 row in double, where no finite row overflows. */
final class RowNorm {
  private RowNorm() {}

  static double of(float[] rows, int offset, int columns) {
    double squares = 0;
    for (int j = offset; j < offset + columns; j++) {
      squares += (double) rows[j] * rows[j];
    }
    return Math.sqrt(squares);
  }
}
