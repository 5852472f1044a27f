package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * A product of powers of spectra of probability vectors, with a bound on its error: the convolution
 * of many vectors, each taken many times.
 *
 * <p>At every frequency, a factor φ that is off by e at most makes φⁿ off by |φ|ⁿ·(exp(n·e/|φ|) −
 * 1) at most, so that errors fade where the product does. Their sum of squares is, by Parseval, the
 * sum of squares of what the convolution's entries are off by.
 */
final class Spectrum {
  /** Powers of a smaller modulus are left out: e^−48 is below all rounding. */
  static final double SMALLEST_LOG = -48;

  /** Of smaller factors an error relative to them says nothing. */
  private static final double SMALLEST_MODULUS = 1e-100;

  /**
   * A complex product errs by √5/2 ulp at most (Brent, Percival and Zimmermann 2007), and a square
   * by three roundings.
   */
  static final double PRODUCT_ERROR = 1.6 * Doubles.ULP;

  private final RealTransform transform;
  private final double[] product;

  /** For every frequency, the sum of n·e/|φ|; at 0 and 1 the lowest and the highest one's. */
  private final double[] growth;

  private double factors;

  /** Bounds the modulus of what was left out. */
  private double left = Math.exp(SMALLEST_LOG);

  Spectrum(RealTransform transform) {
    this.transform = transform;
    this.product = new double[transform.size()];
    this.growth = new double[transform.size() / 2 + 1];
    for (int i = 0; i < product.length; i += 2) {
      product[i] = 1;
    }
    product[1] = 1;
  }

  /** Takes the vector, whose entries are at least 0 and sum to about 1, and destroys it. */
  void multiply(double[] vector, long count) {
    double n = (double) count;
    double off = transform.absoluteError() * (1 + vector.length * Doubles.ULP);
    factors += n;
    transform.forward(vector);
    double threshold = threshold(n, off);
    for (int i = 2; i < vector.length; i += 2) {
      double re = vector[i];
      double im = vector[i + 1];
      if (product[i] == 0 && product[i + 1] == 0) {
        continue;
      }
      double square = re * re + im * im;
      if (square <= threshold * threshold) {
        product[i] = 0;
        product[i + 1] = 0;
        left = Math.max(left, leftOut(n, off));
        continue;
      }
      growth[i / 2] += n * off / Math.sqrt(square);
      power(re, im, count, product, i);
    }
    real(0, vector[0], n, off, threshold);
    real(1, vector[1], n, off, threshold);
  }

  /** Where a factor is left out: it then is below e^(−48/n), or below what it is off by. */
  static double threshold(double n, double off) {
    return Math.max(SMALLEST_MODULUS, Math.exp(SMALLEST_LOG / n) - off);
  }

  /** Bounds the power of a factor that is left out. */
  static double leftOut(double n, double off) {
    boolean isSmall = Math.exp(SMALLEST_LOG / n) - off > SMALLEST_MODULUS;
    return isSmall ? Math.exp(SMALLEST_LOG) : Math.pow(2 * off, n);
  }

  /** Multiplies the complex number at i by (x + i·y)ⁿ. */
  static void power(double x, double y, long count, double[] product, int i) {
    double re = x;
    double im = y;
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

  /** The lowest and the highest frequency have no imaginary part. */
  private void real(int i, double x, double n, double off, double threshold) {
    if (product[i] == 0) {
      return;
    }
    if (Math.abs(x) <= threshold) {
      product[i] = 0;
      left = Math.max(left, leftOut(n, off));
      return;
    }
    growth[i == 0 ? 0 : growth.length - 1] += n * off / Math.abs(x);
    product[i] *= Math.pow(x, n);
  }

  /** The convolution, with a bound on its error; this spectrum is used up. */
  Result invert() {
    double squares = 2 * error(product[0], 0, 0) + 2 * error(product[1], 0, growth.length - 1);
    for (int i = 2; i < product.length; i += 2) {
      squares += 2 * error(product[i], product[i + 1], i / 2);
    }
    double size = transform.size();
    transform.inverse(product);
    double spectral = Math.sqrt(squares / size);
    double norm = Math.sqrt(Arrays.stream(product).map(x -> x * x).sum());
    // The other factors of a frequency that is left out are at most a vector's rounded sum.
    double others = left * Math.exp(factors * size * Doubles.ULP);
    double own = transform.relativeError() * (1 + transform.relativeError()) * norm;
    return new Result(product, (spectral + own + others) * (1 + 2 * size * Doubles.ULP));
  }

  /** The square of what a frequency is off by. */
  private double error(double re, double im, int frequency) {
    double modulus = re * re + im * im;
    double rise = Math.expm1(Math.min(300, growth[frequency] + PRODUCT_ERROR * factors));
    return modulus * rise * rise;
  }

  /** The convolution, up to a rotation, and a bound on the Euclidean norm of its error. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(double[] entries, double error) {}
}
