package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeadingDirectionsTest {
  private static final int FEATURES = 40;

  /** Rounding of a few reflections of 40 numbers. */
  private static final double ROUNDING = 1e-13;

  /** Columns of U, by lifting the unit vectors. */
  private static double[][] columns(LeadingDirections basis) {
    double[][] u = new double[basis.directions()][FEATURES];
    for (int p = 0; p < u.length; p++) {
      double[] unit = new double[basis.directions()];
      unit[p] = 1;
      basis.lift(unit, 1, u[p]);
    }
    return u;
  }

  private static double dot(double[] one, double[] other) {
    double product = 0;
    for (int j = 0; j < FEATURES; j++) {
      product += one[j] * other[j];
    }
    return product;
  }

  private static double[] randomMatrix(int columns, int rank) {
    SplittableRandom random = new SplittableRandom(100L * columns + rank);
    double[] matrix = new double[FEATURES * columns];
    for (int r = 0; r < rank; r++) {
      double[] left = random.doubles(FEATURES, -1, 1).toArray();
      double[] right = random.doubles(columns, -1, 1).toArray();
      double size = Math.pow(10, -r / 2.0);
      for (int k = 0; k < matrix.length; k++) {
        matrix[k] += size * left[k / columns] * right[k % columns];
      }
    }
    return matrix;
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "3,3,3", "5,5,3", "10,9,9", "10,9,10", "10,9,39", "10,9,40", "10,4,25"})
  void directions_areOrthonormalHoweverManyBeyondTheRank(int columns, int rank, int directions) {
    double[][] u =
        columns(LeadingDirections.of(randomMatrix(columns, rank), FEATURES, columns, directions));
    assertThat(u).hasDimensions(directions, FEATURES);
    for (int a = 0; a < directions; a++) {
      for (int b = 0; b < directions; b++) {
        assertThat(dot(u[a], u[b])).isCloseTo(a == b ? 1 : 0, within(ROUNDING));
      }
    }
  }

  /** Against a library's singular vectors; the Gram matrix costs half the digits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void theFirst_areTheLeadingSingularVectors(int directions) {
    int columns = 5;
    double[] matrix = randomMatrix(columns, 5);
    RealMatrix g = new Array2DRowRealMatrix(FEATURES, columns);
    for (int k = 0; k < matrix.length; k++) {
      g.setEntry(k / columns, k % columns, matrix[k]);
    }
    RealMatrix expected = new SingularValueDecomposition(g).getU();
    double[][] u = columns(LeadingDirections.of(matrix, FEATURES, columns, directions));
    for (int p = 0; p < directions; p++) {
      double product = 0;
      for (int j = 0; j < FEATURES; j++) {
        product += u[p][j] * expected.getEntry(j, p);
      }
      assertThat(Math.abs(product)).isCloseTo(1, within(1e-7));
    }
  }

  @Test
  void projecting_neverLengthensAndLiftingIsItsTranspose() {
    double[] matrix = randomMatrix(4, 3);
    LeadingDirections basis = LeadingDirections.of(matrix, FEATURES, 4, 7);
    double[] gradient = new SplittableRandom(9).doubles(FEATURES * 4, -1, 1).toArray();
    double[] coordinates = basis.project(gradient, 4);
    assertThat(coordinates).hasSize(7 * 4);
    assertThat(norm(coordinates)).isLessThan(norm(gradient));
    double[] lifted = new double[gradient.length];
    basis.lift(coordinates, 4, lifted);
    assertThat(norm(lifted)).isCloseTo(norm(coordinates), within(ROUNDING));
    double[] again = basis.project(lifted, 4);
    for (int k = 0; k < again.length; k++) {
      assertThat(again[k]).isCloseTo(coordinates[k], within(ROUNDING));
    }
  }

  /** The whole gradient of the public rows lies in the directions up to its rank. */
  @Test
  void theMatrixItself_isKept() {
    double[] matrix = randomMatrix(6, 4);
    LeadingDirections basis = LeadingDirections.of(matrix, FEATURES, 6, 4);
    assertThat(norm(basis.project(matrix, 6))).isCloseTo(norm(matrix), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, Double.NaN, Double.POSITIVE_INFINITY, 1e-200, 1e200})
  void aMatrixThatSaysNothing_leavesABasisAllTheSame(double value) {
    double[] matrix = new double[FEATURES * 3];
    Arrays.fill(matrix, value);
    double[][] u = columns(LeadingDirections.of(matrix, FEATURES, 3, 5));
    for (double[] column : u) {
      assertThat(norm(column)).isCloseTo(1, within(ROUNDING));
    }
  }

  /** As where a model fits some classes far better than others. */
  @ParameterizedTest
  @CsvSource({"8, 1e-20, 1e-150", "62, 1e-7, 1e-7", "100, 1e-7, 1e-7"})
  void columnsOfVeryDifferentSizes_haveABasis(int columns, double most, double least) {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 2400 / columns; i++) {
      double[] matrix = TestRows.weights(random, FEATURES * columns);
      int largest = random.nextInt(columns);
      for (int c = 0; c < columns; c++) {
        boolean isLarge = c == largest || (most > 1e-10 && random.nextBoolean());
        double size = isLarge ? 1 : most * Math.pow(least / most, random.nextDouble());
        for (int j = 0; j < FEATURES; j++) {
          matrix[j * columns + c] *= size;
        }
      }
      double[][] u = columns(LeadingDirections.of(matrix, FEATURES, columns, 3));
      for (double[] one : u) {
        assertThat(dot(one, one)).isCloseTo(1, within(ROUNDING));
      }
      if (most < 1e-10) {
        double[] first = new double[FEATURES];
        for (int j = 0; j < FEATURES; j++) {
          first[j] = matrix[j * columns + largest];
        }
        assertThat(Math.abs(dot(u[0], first)))
            .isCloseTo(Math.sqrt(dot(first, first)), within(1e-9));
      }
    }
  }

  /** As of a model that fits all public rows. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-162, 1e-160, 1, 1e160, 1e300})
  void theSizeOfAMatrix_changesNoDirection(double size) {
    double[] matrix = randomMatrix(10, 9);
    double[] sized = Arrays.stream(matrix).map(value -> size * value).toArray();
    double[][] expected = columns(LeadingDirections.of(matrix, FEATURES, 10, 5));
    double[][] found = columns(LeadingDirections.of(sized, FEATURES, 10, 5));
    for (int p = 0; p < 5; p++) {
      assertThat(Math.abs(dot(found[p], expected[p]))).isCloseTo(1, within(1e-9));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 41})
  void aProjectionOntoMoreThanThereIs_isRefused(int directions) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeadingDirections.of(new double[FEATURES], FEATURES, 1, directions))
        .withMessage("a projection must have from 1 to 40 directions; was " + directions);
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
  }

  /**
   * The projected sum of many rows moves by the projection of one row and what doubles of its size
   * round to, however many reflections there are: u‖s‖ for the sum and for each projection.
   */
  @Test
  void aSumOfManyRows_isRoundedOnce() {
    SplittableRandom random = new SplittableRandom(12);
    int features = 150;
    int columns = 60;
    double[] matrix = TestRows.weights(random, features * columns);
    LeadingDirections basis = LeadingDirections.of(matrix, features, columns, features);
    double[] sum = TestRows.weights(random, features);
    double[] row = TestRows.weights(random, features);
    double[] both = new double[features];
    double squares = 0;
    for (int j = 0; j < features; j++) {
      sum[j] *= 1e9;
      both[j] = sum[j] + row[j];
      squares += sum[j] * sum[j];
    }
    double[] without = basis.project(sum, 1);
    double[] with = basis.project(both, 1);
    double[] alone = basis.project(row, 1);
    double off = 0;
    for (int p = 0; p < features; p++) {
      double moved = with[p] - without[p] - alone[p];
      off += moved * moved;
    }
    assertThat(Math.sqrt(off)).isLessThan(3 * 0x1p-53 * Math.sqrt(squares));
  }
}
