package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the library's transform is off by, against bounds that allow more. Inputs are seeded, so
 * that nothing here fails by chance.
 */
class RealTransformTest {
  /** The bounds are for the worst input; these stay below an eighth of them. */
  private static final double SAFETY = 8;

  /**
   * One impulse comes out as the powers of a root of unity, through every twiddle factor on its
   * way; the reference takes them from angles that are reduced exactly.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 64, 1024, 1 << 14, 1 << 18, 1 << 22})
  void anImpulse_meetsTwiddlesThatAreGood(int size) {
    RealTransform transform = new RealTransform(size);
    for (int place : new int[] {0, 1, 2, 3, 5, size / 2 - 1, size / 3, size - 1}) {
      double[] vector = new double[size];
      vector[Math.floorMod(place, size)] = 1;
      transform.forward(vector);
      double worst = 0;
      for (int k = 1; k < size / 2; k++) {
        long turns = Math.floorMod((long) k * Math.floorMod(place, size), size);
        double re = cosine(turns, size);
        double im = -cosine(Math.floorMod(turns - size / 4, size), size);
        if (size >= 4) {
          worst = Math.max(worst, Math.hypot(vector[2 * k] - re, vector[2 * k + 1] - im));
        }
      }
      assertThat(worst).isLessThan(transform.absoluteError() / SAFETY);
    }
  }

  /** cos(2π·turns/size), by an angle of at most π/4. */
  private static double cosine(long turns, int size) {
    long t = Math.min(turns, size - turns);
    if (4 * t > size) {
      return -cosine(size / 2 - t, size);
    }
    return 8 * t <= size
        ? Math.cos(2 * Math.PI * t / size)
        : Math.sin(2 * Math.PI * (size / 4.0 - t) / size);
  }

  /** The defining sum, to 40 digits, with roots of unity by multiplication in 50 digits. */
  @ParameterizedTest
  @ValueSource(ints = {8, 64, 256})
  void aVector_isTransformedAsTheDefiningSumSays(int size) {
    BigDecimal[][] roots = Digits.rootsOfUnity(size);
    RealTransform transform = new RealTransform(size);
    Random random = new Random(size);
    for (int kind = 0; kind < 6; kind++) {
      double[] vector = vector(kind, size, random);
      double[] there = vector.clone();
      transform.forward(there);
      double worst = 0;
      double squares = 0;
      double exactSquares = 0;
      for (double x : vector) {
        exactSquares += size * x * x;
      }
      for (int k = 1; k < size / 2; k++) {
        BigDecimal re = BigDecimal.ZERO;
        BigDecimal im = BigDecimal.ZERO;
        for (int j = 0; j < size; j++) {
          BigDecimal x = new BigDecimal(vector[j]);
          int turns = Math.floorMod(k * j, size);
          re = re.add(x.multiply(roots[turns][0]), MathContext.DECIMAL128);
          im = im.subtract(x.multiply(roots[turns][1]), MathContext.DECIMAL128);
        }
        double off =
            Math.hypot(
                re.subtract(new BigDecimal(there[2 * k])).doubleValue(),
                im.subtract(new BigDecimal(there[2 * k + 1])).doubleValue());
        worst = Math.max(worst, off);
        squares += off * off;
      }
      assertThat(worst).isLessThan(transform.absoluteError() / SAFETY);
      assertThat(Math.sqrt(squares))
          .isLessThan(transform.relativeError() / SAFETY * Math.sqrt(exactSquares));
    }
  }

  /**
   * Two vectors convolved through spectra, against their defining sums in twice the digits:
   * products by fused multiplication, sums by two-sums.
   */
  @ParameterizedTest
  @ValueSource(ints = {64, 1 << 9, 1 << 12})
  void aConvolution_isTheDefiningSums(int size) {
    Random random = new Random(size);
    RealTransform transform = new RealTransform(size);
    for (int kind = 0; kind < 3; kind++) {
      double[] one = vector(kind, size, random);
      double[] other = vector(2, size, random);
      Spectrum spectrum = new Spectrum(transform);
      spectrum.multiply(one.clone(), 1);
      spectrum.multiply(other.clone(), 1);
      Spectrum.Result result = spectrum.invert();
      double squares = 0;
      for (int k = 0; k < size; k++) {
        double sum = 0;
        double rest = 0;
        for (int j = 0; j < size; j++) {
          double x = one[j];
          double y = other[Math.floorMod(k - j, size)];
          double product = x * y;
          double next = sum + product;
          double back = next - sum;
          rest += (sum - (next - back)) + (product - back) + Math.fma(x, y, -product);
          sum = next;
        }
        double off = result.entries()[k] - sum - rest;
        squares += off * off;
      }
      assertThat(Math.sqrt(squares)).isLessThan(result.error() / SAFETY);
    }
  }

  /** There and back again: both ways err, and in the Euclidean norm by no more than twice. */
  @ParameterizedTest
  @ValueSource(ints = {16, 1 << 10, 1 << 16, 1 << 22})
  void aVector_comesBack(int size) {
    RealTransform transform = new RealTransform(size);
    Random random = new Random(size);
    for (int kind = 0; kind < 6; kind++) {
      double[] vector = vector(kind, size, random);
      double[] back = vector.clone();
      transform.forward(back);
      transform.inverse(back);
      double squares = 0;
      double all = 0;
      for (int i = 0; i < size; i++) {
        squares += (back[i] - vector[i]) * (back[i] - vector[i]);
        all += vector[i] * vector[i];
      }
      assertThat(Math.sqrt(squares))
          .isLessThan(2 * transform.relativeError() / SAFETY * Math.sqrt(all));
    }
  }

  /**
   * Entries of moduli that sum to 1: noise, one sign, a bell, near-impulses, alternating, steep.
   */
  private static double[] vector(int kind, int size, Random random) {
    double[] vector = new double[size];
    for (int i = 0; i < size; i++) {
      double x = (i - size / 2.0) / (0.05 * size);
      vector[i] =
          switch (kind) {
            case 0 -> random.nextGaussian();
            case 1 -> random.nextDouble();
            case 2 -> Math.exp(-x * x / 2);
            case 3 -> Math.exp(-10.0 * i);
            case 4 -> (i & 1) == 0 ? 1 : -1 + 1e-9 * random.nextDouble();
            default -> Math.exp(-700.0 * i / size);
          };
    }
    double sum = 0;
    for (double v : vector) {
      sum += Math.abs(v);
    }
    for (int i = 0; i < size; i++) {
      vector[i] /= sum;
    }
    return vector;
  }
}
