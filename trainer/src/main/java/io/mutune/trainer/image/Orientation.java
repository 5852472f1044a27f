package io.mutune.trainer.image;

/**
 * How the stored rows and columns of a picture lie (Exif 2.3, values 1 to 8).
 *
 * @param swapped whether stored rows are shown as columns; what follows is meant after that
 * @param fromRight whether the first stored column is shown last
 * @param fromBottom whether the first stored row is shown last
 */
record Orientation(boolean swapped, boolean fromRight, boolean fromBottom) {
  static final Orientation UPRIGHT = new Orientation(false, false, false);

  /** Of a value that means nothing: upright. */
  static Orientation of(int value) {
    return switch (value) {
      case 2 -> new Orientation(false, true, false);
      case 3 -> new Orientation(false, true, true);
      case 4 -> new Orientation(false, false, true);
      case 5 -> new Orientation(true, false, false);
      case 6 -> new Orientation(true, true, false);
      case 7 -> new Orientation(true, true, true);
      case 8 -> new Orientation(true, false, true);
      default -> UPRIGHT;
    };
  }

  /**
   * Where a stored value goes in a picture of that size as it is shown, row-major.
   *
   * @param row as stored
   * @param column as stored
   */
  int place(int row, int column, int height, int width) {
    int y = swapped ? column : row;
    int x = swapped ? row : column;
    return (fromBottom ? height - 1 - y : y) * width + (fromRight ? width - 1 - x : x);
  }
}
