package io.mutune.trainer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the proof in docs/soundness.md takes for granted of a kernel. */
class BlockKernelTest {
  private static final int ROWS = BlockKernel.ROWS;
  private static final int BLOCKS = 2;
  private static final int MOST_COLUMNS = 13;

  /**
   * Multiples of 2^-40: a sum of a few blocks of such rows is rounded to them by next to nothing.
   */
  private static final double STEP = 0x1p-40;

  private static final double GRID = 0x1.8p52 * STEP;

  static Stream<BlockKernel> kernels() {
    return Stream.of(Kernels.fastest(), Kernels.plain());
  }

  @Test
  void theTests_runOnTheVectorApi() {
    assertThat(Kernels.vectorApi()).isTrue();
    assertThat(Kernels.fastest()).isNotInstanceOf(PlainKernel.class);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aRow_hasTheSameResidualsBitForBit_whereverItStandsAndWhateverStandsBeside(
      BlockKernel kernel) {
    for (int columns = 1; columns <= MOST_COLUMNS; columns++) {
      assertThat(placesThatDiffer(kernel, columns)).isZero();
    }
  }

  /** A kernel that adds up the last row of a block in another order is found out. */
  @ParameterizedTest
  @MethodSource("kernels")
  void aKernelThatLooksAtTheRowsPlace_isFoundOut(BlockKernel kernel) {
    assertThat(placesThatDiffer(new OtherAtTheEnd(kernel), 5)).isPositive();
  }

  /** Where a row's logits, softmax or logistic residual is not what it is in the first place. */
  private static int placesThatDiffer(BlockKernel kernel, int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    int width = 7 * kernel.lanes();
    float[] row = floats(random, width);
    float[] w = floats(random, columns * width);
    float[] expected = {};
    int differ = 0;
    for (int place = 0; place < BLOCKS * ROWS; place++) {
      float[] x = floats(random, BLOCKS * ROWS * width);
      System.arraycopy(row, 0, x, place * width, width);
      float[] found = residuals(kernel, x, width, w, columns, place);
      if (place == 0) {
        expected = found;
      }
      differ += Arrays.equals(found, expected) ? 0 : 1;
    }
    return differ;
  }

  /** The logits of the row at {@code place}, their softmax, and the first one's logistic. */
  private static float[] residuals(
      BlockKernel kernel, float[] x, int width, float[] w, int columns, int place) {
    float[] z = new float[BLOCKS * columns * ROWS];
    kernel.logits(x, 0, width, width, BLOCKS, w, 0, columns, z, new float[kernel.scratch()]);
    int from = place / ROWS * columns * ROWS;
    float[] found = new float[2 * columns + 1];
    float[] one = new float[ROWS];
    Arrays.fill(one, 1);
    float[] logit = Arrays.copyOfRange(z, from, from + ROWS);
    kernel.logistic(logit, 0, one, one, one, 0);
    found[2 * columns] = logit[place % ROWS];
    for (int c = 0; c < columns; c++) {
      found[c] = z[from + c * ROWS + place % ROWS];
    }
    kernel.softmax(z, from, columns, one, one, 0);
    for (int c = 0; c < columns; c++) {
      found[columns + c] = z[from + c * ROWS + place % ROWS];
    }
    return found;
  }

  /** Against the definition, bit for bit, among rows that are clipped, not clipped or of no use. */
  @ParameterizedTest
  @MethodSource("kernels")
  void aFactor_isTheBoundOverTheNorm_atMostOneAndNeverOfANormThatIsNone(BlockKernel kernel) {
    double[] squares = new double[ROWS];
    double[] norms = new double[2 * ROWS];
    double[] scales = new double[2 * ROWS];
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      squares[i] = Math.scalb(random.nextDouble(), random.nextInt(-40, 40));
      norms[ROWS + i] = random.nextDouble(0.1, 9);
      scales[ROWS + i] = Math.scalb(1.0, random.nextInt(-20, 20));
    }
    squares[3] = Double.NaN;
    squares[4] = Double.POSITIVE_INFINITY;
    squares[5] = 0;
    norms[ROWS + 6] = 0;
    squares[7] = Double.NaN;
    scales[ROWS + 7] = 0;
    scales[ROWS + 8] = 0;
    double[] asked = squares.clone();

    kernel.factors(squares, 2, norms, scales, ROWS, 0.75, 0.5);

    for (int i = 0; i < ROWS; i++) {
      double norm = norms[ROWS + i] * Math.sqrt(2 * asked[i]);
      double factor = !(norm < Double.POSITIVE_INFINITY) ? 0 : norm <= 0.75 ? 1 : 0.75 / norm;
      assertThat(squares[i])
          .as("row %d of norm %s", i, norm)
          .isEqualTo(factor * scales[ROWS + i] / 2);
    }
    assertThat(Arrays.stream(squares).filter(f -> f == 0)).hasSize(4);
  }

  /** The same order of additions for any number of columns, so that fusing changes nothing. */
  @ParameterizedTest
  @MethodSource("kernels")
  void aColumn_isTheSameBitForBit_whateverColumnsAreBeside(BlockKernel kernel) {
    SplittableRandom random = new SplittableRandom(1);
    int width = 7 * kernel.lanes();
    float[] x = floats(random, BLOCKS * ROWS * width);
    float[] w = floats(random, MOST_COLUMNS * width);
    float[] scratch = new float[kernel.scratch()];
    float[] all = new float[BLOCKS * MOST_COLUMNS * ROWS];
    long[] sums = new long[MOST_COLUMNS * width];
    kernel.logits(x, 0, width, width, BLOCKS, w, 0, MOST_COLUMNS, all, scratch);
    kernel.addOuter(x, 0, width, width, BLOCKS, all, MOST_COLUMNS, sums, 0, GRID, scratch);
    for (int c = 0; c < MOST_COLUMNS; c++) {
      float[] one = new float[BLOCKS * ROWS];
      long[] sum = new long[2 + width];
      kernel.logits(x, 0, width, width, BLOCKS, w, c * width, 1, one, scratch);
      kernel.addOuter(x, 0, width, width, BLOCKS, one, 1, sum, 2, GRID, scratch);
      for (int i = 0; i < BLOCKS * ROWS; i++) {
        assertThat(all[(i / ROWS * MOST_COLUMNS + c) * ROWS + i % ROWS]).isEqualTo(one[i]);
      }
      for (int j = 0; j < width; j++) {
        assertThat(sums[place(kernel, width, MOST_COLUMNS, c, j)])
            .isEqualTo(sum[2 + place(kernel, width, 1, 0, j)]);
      }
    }
  }

  private static int place(BlockKernel kernel, int width, int columns, int column, int feature) {
    return BlockKernel.placeInSums(kernel.partOfSums(), width, columns, column, feature);
  }

  /** Parts of three features, the last of two, for two columns. */
  @Test
  void sums_lieInParts_andInAPartColumnByColumn() {
    int[] first = {0, 1, 2, 6, 7, 8, 12, 13};
    int[] second = {3, 4, 5, 9, 10, 11, 14, 15};
    for (int j = 0; j < 8; j++) {
      assertThat(BlockKernel.placeInSums(3, 8, 2, 0, j)).isEqualTo(first[j]);
      assertThat(BlockKernel.placeInSums(3, 8, 2, 1, j)).isEqualTo(second[j]);
    }
  }

  /**
   * A block's sum is off by at most ROWS + 1 roundings of 2^-24 of the greatest partial sum, which
   * is at most that of the terms' sizes; by no more than that for each of ROWS terms.
   */
  @ParameterizedTest
  @MethodSource("kernels")
  void outerProducts_areWithinTheProofsRoundingOfTheExactSum(BlockKernel kernel) {
    SplittableRandom random = new SplittableRandom(2);
    int width = 7 * kernel.lanes();
    float[] x = floats(random, ROWS * width);
    for (int columns = 1; columns <= 8; columns++) {
      float[] z = floats(random, columns * ROWS);
      long[] sums = new long[columns * width];
      float[] scratch = new float[kernel.scratch()];
      kernel.addOuter(x, 0, width, width, 1, z, columns, sums, 0, GRID, scratch);
      for (int c = 0; c < columns; c++) {
        for (int j = 0; j < width; j++) {
          double exact = 0;
          double rounding = STEP / 2;
          double sizes = 0;
          for (int i = 0; i < ROWS; i++) {
            double term = (double) z[c * ROWS + i] * x[i * width + j];
            exact += term;
            sizes += Math.abs(term);
            rounding += 0x1p-24 * (sizes + Math.abs(term)) * 1.00001;
          }
          double sum = sums[place(kernel, width, columns, c, j)] * STEP;
          assertThat(sum).isCloseTo(exact, within(rounding));
        }
      }
    }
  }

  /** With a grid of 2^-10; however many blocks there are, each is rounded by itself. */
  @ParameterizedTest
  @MethodSource("kernels")
  void blockSums_areRoundedToTheGridAndCounted(BlockKernel kernel) {
    int width = kernel.lanes();
    for (int blocks = 1; blocks <= 2 * MOST_COLUMNS; blocks++) {
      float[] x = new float[blocks * ROWS * width];
      float[] z = new float[blocks * ROWS];
      long expected = 7;
      for (int b = 0; b < blocks; b++) {
        Arrays.fill(x, b * ROWS * width, b * ROWS * width + width, b % 3 - 1);
        z[b * ROWS] = 0.3f + b;
        expected += Math.round((b % 3 - 1) * (0.3f + b) * 1024.0);
      }
      long[] sums = new long[width];
      Arrays.fill(sums, 7);
      float[] scratch = new float[kernel.scratch()];
      kernel.addOuter(x, 0, width, width, blocks, z, 1, sums, 0, 0x1.8p42, scratch);
      assertThat(sums).containsOnly(expected);
    }
  }

  /**
   * The exponential is good to about 2e-7, the rest of a softmax to as much again; logits far below
   * the greatest are rounded when it is taken off.
   */
  @ParameterizedTest
  @MethodSource("kernels")
  void softmaxAndLogistic_areThoseOfDouble_andNoNumberStaysNoNumber(BlockKernel kernel) {
    SplittableRandom random = new SplittableRandom(3);
    float[] low = new float[ROWS];
    float[] high = new float[ROWS];
    Arrays.fill(low, 0.5f);
    Arrays.fill(high, 4);
    for (double size : new double[] {1, 10, 1000, 1e30}) {
      int columns = 6;
      float[] z = floats(random, columns * ROWS);
      for (int i = 0; i < z.length; i++) {
        z[i] *= (float) size;
      }
      z[3] = Float.NaN;
      z[5] = Float.POSITIVE_INFINITY;
      float[] p = z.clone();
      kernel.softmax(p, 0, columns, low, high, 0);
      float[] y = floats(random, ROWS);
      for (int i = 0; i < ROWS; i++) {
        y[i] = Math.signum(y[i]);
      }
      float[] s = z.clone();
      kernel.logistic(s, 0, y, low, high, 0);
      for (int i = 0; i < ROWS; i++) {
        double greatest = Double.NEGATIVE_INFINITY;
        double sum = 0;
        for (int c = 0; c < columns; c++) {
          greatest = Math.max(greatest, 2 * z[c * ROWS + i]);
        }
        for (int c = 0; c < columns; c++) {
          sum += Math.exp(2 * z[c * ROWS + i] - greatest);
        }
        for (int c = 0; c < columns; c++) {
          if (i == 3 || i == 5) {
            assertThat(p[c * ROWS + i]).isNaN();
          } else {
            double below = 2 * z[c * ROWS + i] - greatest;
            double exact = Math.exp(below) / sum;
            double rounding = 4e-7 - 0x1p-23 * below;
            assertThat((double) p[c * ROWS + i]).isCloseTo(exact, within(rounding * exact + 1e-37));
          }
        }
        double exact = y[i] / (1 + Math.exp(-2.0 * y[i] * z[i]));
        if (i == 3) {
          assertThat(s[i]).isNaN();
        } else {
          assertThat((double) s[i]).isCloseTo(exact, within(1e-6 * Math.abs(exact) + 1e-37));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void squaresAndFactors_areARowsOwn_andAFactorOfZeroMakesZeroOfAnything(BlockKernel kernel) {
    float[] z = new float[3 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      z[i] = i;
      z[ROWS + i] = 1e-30f;
      z[2 * ROWS + i] = i == 4 ? Float.NaN : 2;
    }
    double[] squares = new double[ROWS];
    kernel.squares(z, 0, 3, squares);
    float[] factors = new float[ROWS];
    Arrays.fill(factors, 3);
    factors[4] = 0;
    kernel.scale(z, 0, 3, factors);
    for (int i = 0; i < ROWS; i++) {
      if (i == 4) {
        assertThat(squares[i]).isNaN();
        assertThat(z[i] + z[ROWS + i] + z[2 * ROWS + i]).isZero();
      } else {
        double tiny = (double) 1e-30f * 1e-30f;
        assertThat(squares[i]).isEqualTo((double) i * i + tiny + 4);
        assertThat(z[i]).isEqualTo(3f * i);
      }
    }
  }

  private static float[] floats(SplittableRandom random, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  /** Computes the logits of each block's last row from its features in reverse order. */
  private record OtherAtTheEnd(BlockKernel kernel) implements BlockKernel {
    @Override
    public int lanes() {
      return kernel.lanes();
    }

    @Override
    public int scratch() {
      return kernel.scratch();
    }

    @Override
    public int partOfSums() {
      return kernel.partOfSums();
    }

    @Override
    public void logits(
        float[] x,
        int from,
        int stride,
        int width,
        int blocks,
        float[] w,
        int w0,
        int columns,
        float[] z,
        float[] scratch) {
      kernel.logits(x, from, stride, width, blocks, w, w0, columns, z, scratch);
      for (int b = 0; b < blocks; b++) {
        for (int c = 0; c < columns; c++) {
          float sum = 0;
          for (int j = width - 1; j >= 0; j--) {
            sum += x[from + ((b + 1) * ROWS - 1) * stride + j] * w[c * width + j];
          }
          z[(b * columns + c + 1) * ROWS - 1] = sum;
        }
      }
    }

    @Override
    public void softmax(float[] z, int from, int classes, float[] low, float[] high, int row) {
      kernel.softmax(z, from, classes, low, high, row);
    }

    @Override
    public void logistic(float[] z, int from, float[] y, float[] low, float[] high, int row) {
      kernel.logistic(z, from, y, low, high, row);
    }

    @Override
    public void scale(float[] z, int from, int columns, float[] factors) {
      kernel.scale(z, from, columns, factors);
    }

    @Override
    public void addOuter(
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
        float[] scratch) {
      kernel.addOuter(x, from, stride, width, blocks, z, columns, g, g0, grid, scratch);
    }
  }
}
