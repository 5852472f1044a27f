package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.DoubleDoubleSum;
import java.util.Arrays;
import org.apache.commons.math3.exception.MaxCountExceededException;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * The first P of an orthonormal basis of the feature space that begins with a matrix's left
 * singular vectors, the largest singular value first, and is completed beyond the matrix's rank by
 * directions that no data chose.
 *
 * <p>The singular vectors G·v/s come from the eigenvectors v of the small matrix GᵀG. Householder
 * reflections that take the first of them to the axes are the whole basis, completion included:
 * they are orthogonal to the rounding of a double however badly the vectors were computed, so ‖Uᵀg‖
 * ≤ ‖g‖ holds to about 1e-12 of it, for which {@link ClipNorm} has room where g is what one row
 * adds. A sum over many rows is projected in twice a double's precision, so that its own rounding
 * stays that of the sum.
 */
public final class LeadingDirections {
  /** Singular values below this, relative to the largest, are rounding of the Gram matrix. */
  private static final double RANK_TOLERANCE = 1e-7;

  private final int features;
  private final int directions;
  private final double[][] reflectors;

  private LeadingDirections(int features, int directions, double[][] reflectors) {
    this.features = features;
    this.directions = directions;
    this.reflectors = reflectors;
  }

  /**
   * The basis of {@code matrix}; of one that is not finite, the axes.
   *
   * @param matrix G, {@code [features, columns]}, row-major
   * @param directions P, from 1 to {@code features}
   */
  public static LeadingDirections of(double[] matrix, int features, int columns, int directions) {
    if (directions < 1 || directions > features) {
      throw new IllegalArgumentException(
          "a projection must have from 1 to %d directions; was %d".formatted(features, directions));
    }
    double[][] vectors = leftSingularVectors(matrix, features, columns, directions);
    double[][] reflectors = new double[vectors.length][];
    LeadingDirections soFar = new LeadingDirections(features, directions, reflectors);
    for (int k = 0; k < vectors.length; k++) {
      soFar.reflect(vectors[k], 1, 0, k, false);
      reflectors[k] = reflectorOf(vectors[k], k);
    }
    return soFar;
  }

  /** The dimension of the space. */
  public int features() {
    return features;
  }

  /** P. */
  public int directions() {
    return directions;
  }

  /**
   * Uᵀg, rounded once from twice a double's precision.
   *
   * @param gradient {@code [features, columns]}, row-major; not written to
   * @return {@code [directions, columns]}, row-major
   */
  public double[] project(double[] gradient, int columns) {
    double[] kept = new double[directions * columns];
    for (int c = 0; c < columns; c++) {
      DoubleDoubleSum turned = new DoubleDoubleSum(features);
      for (int j = 0; j < features; j++) {
        turned.add(j, gradient[j * columns + c]);
      }
      for (double[] reflector : reflectors) {
        reflect(turned, reflector);
      }
      for (int p = 0; p < directions; p++) {
        kept[p * columns + c] = turned.rounded(p);
      }
    }
    return kept;
  }

  private static void reflect(DoubleDoubleSum values, double[] v) {
    DoubleDoubleSum product = new DoubleDoubleSum(1);
    for (int j = 0; j < v.length; j++) {
      addProduct(product, 0, v[j], values.rounded(j));
      product.add(0, v[j] * values.rest(j));
    }
    double twice = -2 * product.rounded(0);
    double rest = -2 * product.rest(0);
    for (int j = 0; j < v.length; j++) {
      addProduct(values, j, twice, v[j]);
      values.add(j, rest * v[j]);
    }
  }

  /** Exactly: the product as it rounds, and what that leaves out. */
  private static void addProduct(DoubleDoubleSum sum, int i, double a, double b) {
    double product = a * b;
    sum.add(i, product);
    sum.add(i, Math.fma(a, b, -product));
  }

  /**
   * U·z.
   *
   * @param coordinates {@code [directions, columns]}, row-major
   * @param gradient {@code [features, columns]}, row-major, overwritten
   */
  public void lift(double[] coordinates, int columns, double[] gradient) {
    Arrays.fill(gradient, 0);
    System.arraycopy(coordinates, 0, gradient, 0, coordinates.length);
    for (int c = 0; c < columns; c++) {
      reflect(gradient, columns, c, reflectors.length, true);
    }
  }

  /** Applies the first {@code count} reflections to one column, or undoes them. */
  private void reflect(double[] values, int stride, int offset, int count, boolean undo) {
    for (int n = 0; n < count; n++) {
      double[] v = reflectors[undo ? count - 1 - n : n];
      double product = 0;
      for (int j = 0; j < features; j++) {
        product += v[j] * values[j * stride + offset];
      }
      for (int j = 0; j < features; j++) {
        values[j * stride + offset] -= 2 * product * v[j];
      }
    }
  }

  /** The unit vector whose reflection zeroes all of {@code x} after entry {@code k}. */
  private static double[] reflectorOf(double[] x, int k) {
    double[] v = new double[x.length];
    double squares = 0;
    for (int j = k; j < x.length; j++) {
      v[j] = x[j];
      squares += x[j] * x[j];
    }
    v[k] += Math.copySign(Math.sqrt(squares), x[k]);
    double norm = 0;
    for (int j = k; j < x.length; j++) {
      norm += v[j] * v[j];
    }
    if (norm == 0) {
      v[k] = 1;
      return v;
    }
    norm = Math.sqrt(norm);
    for (int j = k; j < x.length; j++) {
      v[j] /= norm;
    }
    return v;
  }

  private static double[][] leftSingularVectors(
      double[] given, int features, int columns, int most) {
    double largest = 0;
    for (double value : given) {
      largest = Math.max(largest, Math.abs(value));
    }
    if (!(largest > 0 && Double.isFinite(largest))) {
      return new double[0][];
    }
    // Squares of tiny or huge ones would be no numbers; a power of two changes no other digit.
    int exponent = Math.getExponent(largest);
    double[] matrix = Arrays.stream(given).map(value -> Math.scalb(value, -exponent)).toArray();
    RealMatrix gram = gram(matrix, features, columns);
    double[] values;
    RealMatrix small;
    try {
      EigenDecomposition eigen = new EigenDecomposition(gram);
      values = eigen.getRealEigenvalues();
      small = eigen.getV();
    } catch (MaxCountExceededException e) {
      // As for columns of very different sizes. Slower, and its iteration always ends.
      SingularValueDecomposition singular = new SingularValueDecomposition(gram);
      values = singular.getSingularValues();
      small = singular.getU();
    }
    int rank = 0;
    while (rank < Math.min(most, columns)
        && values[rank] > RANK_TOLERANCE * RANK_TOLERANCE * values[0]) {
      rank++;
    }
    double[][] vectors = new double[rank][];
    for (int k = 0; k < rank; k++) {
      vectors[k] = image(matrix, features, columns, small.getColumn(k));
    }
    return vectors;
  }

  /** GᵀG over its trace. */
  private static RealMatrix gram(double[] matrix, int features, int columns) {
    double[][] gram = new double[columns][columns];
    double trace = 0;
    for (int a = 0; a < columns; a++) {
      for (int b = 0; b < columns; b++) {
        double product = 0;
        for (int j = 0; j < features; j++) {
          product += matrix[j * columns + a] * matrix[j * columns + b];
        }
        gram[a][b] = product;
      }
      trace += gram[a][a];
    }
    for (double[] row : gram) {
      for (int b = 0; b < columns; b++) {
        row[b] /= trace;
      }
    }
    return new Array2DRowRealMatrix(gram, false);
  }

  /** G·v over its norm. */
  private static double[] image(double[] matrix, int features, int columns, double[] v) {
    double[] image = new double[features];
    double squares = 0;
    for (int j = 0; j < features; j++) {
      for (int c = 0; c < columns; c++) {
        image[j] += matrix[j * columns + c] * v[c];
      }
      squares += image[j] * image[j];
    }
    double norm = Math.sqrt(squares);
    for (int j = 0; j < features; j++) {
      image[j] /= norm;
    }
    return image;
  }
}
