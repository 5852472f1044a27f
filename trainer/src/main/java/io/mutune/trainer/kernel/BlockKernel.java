package io.mutune.trainer.kernel;

import java.util.Arrays;

/**
 * The arithmetic of a linear model's step on blocks of {@link #ROWS} rows, in float32 with block
 * sums added up exactly. Without state, and safe for use by several threads.
 *
 * <p>Shapes, all row-major: rows {@code x [rows, stride]} of which the first {@code width} values
 * count, the rest being apart only to keep rows off one cache set; weights {@code w [columns,
 * width]}; logits and residuals {@code z [blocks, columns, ROWS]}; sums {@code g}, a part of {@link
 * #partOfSums} features after the other, the last as wide as what is left, each {@code [columns,
 * part]}: with many columns a column of all features would lie too far from the next one's.
 *
 * <p>What is computed for a row depends on that row and the weights alone, bit for bit, wherever it
 * stands in a block and however many columns there are beside its own: every implementation adds up
 * in one fixed order, and has no other code for what is left over at an edge.
 */
public interface BlockKernel {
  /**
   * Rows a block. The partial sums of a block are rounded to float32, which moves the sums of
   * neighbours apart by about (ROWS + 2)² float roundings (docs/soundness.md); larger blocks are
   * faster by the share of time that goes into adding them up.
   *
   * <p>A call and no constant, which javac would copy into classes that are compiled apart.
   */
  int ROWS = Math.abs(64);

  /**
   * The first float of an array that starts a cache line, where objects lie at whole lines ({@code
   * -XX:ObjectAlignmentInBytes=64}) behind a header of 16 bytes: a vector that straddles two lines
   * takes two loads. Without that option nothing is lost but time.
   */
  int LINE_START = Math.abs(12);

  /** The same for longs. */
  int LINE_START_OF_LONGS = Math.abs(LINE_START / 2);

  /** What {@code width} has to be a multiple of. */
  int lanes();

  /** How many floats of {@code scratch} each method needs. */
  int scratch();

  /** How many features of a column lie together in the sums. */
  int partOfSums();

  /**
   * Where in the sums a column's feature lies.
   *
   * @param part {@link #partOfSums}
   */
  static int placeInSums(int part, int width, int columns, int column, int feature) {
    int first = feature - feature % part;
    return first * columns + column * Math.min(part, width - first) + feature - first;
  }

  /**
   * Sets {@code z} to x · wᵀ for {@code blocks} blocks of rows.
   *
   * @param from where the first row starts in {@code x}
   * @param w0 where the weights start in {@code w}
   */
  void logits(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] w,
      int w0,
      int columns,
      float[] z,
      float[] scratch);

  /**
   * In place, for one block: softmax over {@code classes} columns of {@code low·high·z}. A row
   * whose logits are not numbers, or whose greatest is infinite, becomes NaN.
   *
   * @param from where the block's columns start in {@code z}
   * @param low with {@code high} what each row's logits are multiplied by; their product may be no
   *     float
   * @param row the block's first row in {@code low} and {@code high}
   */
  void softmax(float[] z, int from, int classes, float[] low, float[] high, int row);

  /**
   * In place, for one block of one column: the logistic loss's residual y / (1 +
   * exp(−y·low·high·z)).
   *
   * @param y +1 for class 0 and −1 for class 1, a row of the block
   */
  void logistic(float[] z, int from, float[] y, float[] low, float[] high, int row);

  /** Sets {@code squares} to Σ z² over {@code columns} columns for each row of one block. */
  default void squares(float[] z, int from, int columns, double[] squares) {
    Arrays.fill(squares, 0, ROWS, 0);
    for (int c = 0, at = from; c < columns; c++) {
      for (int i = 0; i < ROWS; i++, at++) {
        squares[i] += (double) z[at] * z[at];
      }
    }
  }

  /**
   * For one block, in place of {@code squares}: {@code min(1, bound/norm) · scales · unit} with
   * {@code norm = norms · √(copies · squares)}; 0 where that norm is infinite or NaN.
   *
   * @param row the block's first row in {@code norms} and {@code scales}, which are finite
   */
  default void factors(
      double[] squares,
      double copies,
      double[] norms,
      double[] scales,
      int row,
      double bound,
      double unit) {
    for (int i = 0; i < ROWS; i++) {
      double factor = bound / (norms[row + i] * Math.sqrt(copies * squares[i]));
      squares[i] = (factor > 0 ? Math.min(1, factor) : 0) * (scales[row + i] * unit);
    }
  }

  /**
   * For one block, {@code scaled = scales · z} in double, where a scale of 0 makes 0 of anything.
   *
   * @param scales a row of the block
   * @param scaled {@code [columns, ROWS]}, overwritten
   */
  default void unscale(float[] z, int from, int columns, double[] scales, double[] scaled) {
    for (int c = 0, at = 0; c < columns; c++) {
      for (int i = 0; i < ROWS; i++, at++) {
        scaled[at] = scales[i] == 0 ? 0 : scales[i] * z[from + at];
      }
    }
  }

  /**
   * For one block, what each row has in the squares of sums of rows: {@code squares[i] = Σ pairs[l,
   * i] · Σ scaled[i] · scaled[i + l]} over the lags l and within over the columns, added up in that
   * order.
   *
   * @param scaled {@code [columns, ROWS]} finite numbers, then {@code ROWS} zeros
   * @param pairs {@code [lags, ROWS]}; 0 where i + l is beyond the block
   * @param squares overwritten
   */
  default void squaresOfSums(double[] scaled, int columns, double[] pairs, double[] squares) {
    for (int i = 0; i < ROWS; i++) {
      double square = 0;
      for (int lag = 0, pair = i; pair < pairs.length; lag++, pair += ROWS) {
        double product = 0;
        for (int c = 0, at = i; c < columns; c++, at += ROWS) {
          product += scaled[at] * scaled[at + lag];
        }
        square += pairs[pair] * product;
      }
      squares[i] = square;
    }
  }

  /** Multiplies each row of one block by its factor; a factor of 0 makes 0 of anything. */
  void scale(float[] z, int from, int columns, float[] factors);

  /**
   * Adds Σ z[row] ⊗ x[row] to {@code g}, block by block: float32 within a block, from zero, one row
   * after the other; the block's sum rounded to a multiple of a power of two and added as the
   * number of its multiples. So additions are exact, and the result does not depend on the order of
   * the blocks.
   *
   * @param g0 where the sums start in {@code g}
   * @param grid 1.5·2^52 times that power of two. A number below 2^51 multiples, added to it, is
   *     rounded to them, and its bits are those of {@code grid} and how many there are
   */
  void addOuter(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] z,
      int columns,
      long[] g,
      int g0,
      double grid,
      float[] scratch);
}
