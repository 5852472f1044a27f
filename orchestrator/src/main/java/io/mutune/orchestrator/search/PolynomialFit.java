package io.mutune.orchestrator.search;

import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.SingularMatrixException;

/**
 * Least squares by a polynomial, directly by QR: an iterative fitter stops early where x is a μ of
 * 0.03 and its powers are smaller still. x is divided by its largest value first.
 */
final class PolynomialFit {
  private PolynomialFit() {}

  /**
   * The polynomial; through every point if there are degree + 1 of them.
   *
   * @param points with x above 0
   * @return empty if the points do not determine it
   */
  static Optional<PolynomialFunction> of(List<Fit.Point> points, int degree) {
    double unit = points.stream().mapToDouble(Fit.Point::x).max().orElse(1);
    double[][] powers = new double[points.size()][degree + 1];
    double[] y = new double[points.size()];
    for (int i = 0; i < points.size(); i++) {
      y[i] = points.get(i).y();
      double power = 1;
      for (int k = 0; k <= degree; k++) {
        powers[i][k] = power;
        power *= points.get(i).x() / unit;
      }
    }
    try {
      double[] coefficients =
          new QRDecomposition(new Array2DRowRealMatrix(powers, false))
              .getSolver()
              .solve(new ArrayRealVector(y, false))
              .toArray();
      double scale = 1;
      for (int k = 0; k <= degree; k++) {
        coefficients[k] /= scale;
        scale *= unit;
        if (!Double.isFinite(coefficients[k])) {
          return Optional.empty();
        }
      }
      return Optional.of(new PolynomialFunction(coefficients));
    } catch (SingularMatrixException e) {
      return Optional.empty();
    }
  }
}
