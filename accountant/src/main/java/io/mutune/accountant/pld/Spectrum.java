package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * A product of powers of spectra of probability vectors, with a bound on its error: the convolution
 * of many vectors, each taken many times.
 */
final class Spectrum {
  private static final double ULP = 0x1p-52;

  /** Powers of a smaller modulus are left out: e^−64 is below all rounding. */
  private static final double SMALLEST_LOG = -64;

  private final RealTransform transform;
  private final double[] product;
  private double error;
  private double factors;

  Spectrum(RealTransform transform) {
    this.transform = transform;
    this.product = new double[transform.size()];
    for (int i = 0; i < product.length; i += 2) {
      product[i] = 1;
    }
    product[1] = 1;
  }

  /** Takes the vector, whose entries are at least 0 and sum to 1, and destroys it. */
  void multiply(double[] vector, long count) {
    double norm = norm(vector);
    error += (double) count * transform.relativeError() * norm;
    factors += (double) count;
    transform.forward(vector);
    double threshold = Math.exp(2 * SMALLEST_LOG / (double) count);
    for (int i = 2; i < vector.length; i += 2) {
      double re = vector[i];
      double im = vector[i + 1];
      if (re * re + im * im < threshold || (product[i] == 0 && product[i + 1] == 0)) {
        product[i] = 0;
        product[i + 1] = 0;
        continue;
      }
      double a = product[i];
      double b = product[i + 1];
      for (long n = count; ; ) {
        if ((n & 1) != 0) {
          double next = a * re - b * im;
          b = a * im + b * re;
          a = next;
        }
        n >>= 1;
        if (n == 0) {
          break;
        }
        double square = (re - im) * (re + im);
        im = 2 * re * im;
        re = square;
      }
      product[i] = a;
      product[i + 1] = b;
    }
    product[0] *= Math.pow(vector[0], (double) count);
    product[1] *= Math.pow(vector[1], (double) count);
  }

  /** The convolution; this spectrum is used up. */
  double[] invert() {
    transform.inverse(product);
    return product;
  }

  /**
   * Bounds the Euclidean norm of the error of {@link #invert}'s result: a spectrum of modulus at
   * most 1 passes the errors of its transforms on n times, a power of n has n roundings, and what
   * was left out is nowhere more than e^−64.
   */
  double error(double[] inverted) {
    double growth = Math.exp(Math.min(700, error * Math.sqrt(transform.size()) * 2));
    double own = (4 * ULP * factors + transform.relativeError()) * norm(inverted);
    return (error * growth + own + Math.exp(SMALLEST_LOG)) * (1 + 0x1p-20);
  }

  private static double norm(double[] vector) {
    return Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
  }
}
