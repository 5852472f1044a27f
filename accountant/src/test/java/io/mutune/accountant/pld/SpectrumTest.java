package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Powers of spectra against cyclic convolutions by their definition, in 60 digits. */
class SpectrumTest {
  private static double[] vector(int seed, int size, double steepness) {
    Random random = new Random(seed);
    double[] vector = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      vector[i] = Math.exp(-steepness * i) * (0.1 + random.nextDouble());
      sum += vector[i];
    }
    for (int i = 0; i < size; i++) {
      vector[i] /= sum;
    }
    return vector;
  }

  private static BigDecimal[] exact(double[] vector) {
    return Arrays.stream(vector).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new);
  }

  private static BigDecimal[] convolve(BigDecimal[] one, BigDecimal[] two) {
    int size = one.length;
    BigDecimal[] sums = new BigDecimal[size];
    Arrays.fill(sums, BigDecimal.ZERO);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        int place = (i + j) % size;
        sums[place] = sums[place].add(one[i].multiply(two[j], Digits.FIFTY), Digits.FIFTY);
      }
    }
    return sums;
  }

  private static BigDecimal[] power(BigDecimal[] vector, int count) {
    BigDecimal[] result = vector;
    for (int i = 1; i < count; i++) {
      result = convolve(result, vector);
    }
    return result;
  }

  /** The Euclidean norm of what the entries are off by. */
  private static double off(double[] entries, BigDecimal[] exact) {
    double squares = 0;
    for (int i = 0; i < entries.length; i++) {
      double off = new BigDecimal(entries[i]).subtract(exact[i]).doubleValue();
      squares += off * off;
    }
    return Math.sqrt(squares);
  }

  @ParameterizedTest
  @CsvSource({"8, 1, 0.1", "16, 2, 1", "32, 3, 0", "16, 13, 2", "64, 4, 0.02", "16, 40, 5"})
  void aPower_isThatManyConvolutionsWithinItsBound(int size, int count, double steepness) {
    double[] vector = vector(size, size, steepness);
    Spectrum spectrum = new Spectrum(new RealTransform(size));
    spectrum.multiply(vector.clone(), count);
    Spectrum.Result result = spectrum.invert();
    double off = off(result.entries(), power(exact(vector), count));
    assertThat(off).isLessThan(result.error());
    // The bound is useful: n transforms' roundings, and not more than a hundred times those.
    assertThat(result.error()).isLessThan(2e-14 * count * 10);
  }

  @Test
  void factors_areMultipliedInAnyOrder() {
    RealTransform transform = new RealTransform(32);
    double[] one = vector(1, 32, 0.3);
    double[] two = vector(2, 32, 0.1);
    Spectrum forth = new Spectrum(transform);
    forth.multiply(one.clone(), 3);
    forth.multiply(two.clone(), 2);
    Spectrum back = new Spectrum(transform);
    back.multiply(two.clone(), 2);
    back.multiply(one.clone(), 3);
    Spectrum.Result result = forth.invert();
    BigDecimal[] exact = convolve(power(exact(one), 3), power(exact(two), 2));
    assertThat(off(result.entries(), exact)).isLessThan(result.error());
    double[] other = back.invert().entries();
    for (int i = 0; i < 32; i++) {
      assertThat(other[i]).isCloseTo(result.entries()[i], within(2 * result.error()));
    }
  }

  /** Of many powers only the mean is left, and what was left out is in the bound. */
  @ParameterizedTest
  @ValueSource(longs = {500, 100_000, 1_000_000_000})
  void aLongSum_isSpreadEvenlyOverItsCycle(long count) {
    Spectrum spectrum = new Spectrum(new RealTransform(16));
    spectrum.multiply(vector(3, 16, 0.05), count);
    Spectrum.Result result = spectrum.invert();
    double mean = Arrays.stream(result.entries()).sum() / 16;
    for (double entry : result.entries()) {
      assertThat(Math.abs(entry - mean)).isLessThan(result.error() + 1e-15);
    }
    // The entries' sum is the vector's, to that power.
    assertThat(Math.abs(16 * mean - 1)).isLessThan(4 * result.error() + 1e-14);
  }

  /**
   * Masses of a half each, a half cycle apart: every odd frequency is exactly 0, which says no more
   * than that it is small. What it may be off by is in the bound.
   */
  @Test
  void aFrequencyOfExactlyZero_isOffByItsTransformsError() {
    RealTransform transform = new RealTransform(16);
    double[] vector = new double[16];
    vector[0] = 0.5;
    vector[8] = 0.5;
    Spectrum spectrum = new Spectrum(transform);
    spectrum.multiply(vector, 1);
    assertThat(spectrum.invert().error()).isGreaterThanOrEqualTo(transform.absoluteError());
  }

  @Test
  void whatIsLeftOut_isBoundedByItsThreshold() {
    double off = 1e-14;
    for (double n : new double[] {1, 2, 3, 10, 1e3, 1e9}) {
      double threshold = Spectrum.threshold(n, off);
      double most = Math.pow(threshold + off, n);
      // Powers of n roundings.
      assertThat(most).isLessThanOrEqualTo(Spectrum.leftOut(n, off) * (1 + n * 1e-15 + 1e-12));
      assertThat(threshold).isPositive().isLessThan(1);
    }
    assertThat(Spectrum.leftOut(1, off)).isBetween(off, 2 * off);
    assertThat(Spectrum.leftOut(2, off)).isEqualTo(Math.exp(Spectrum.SMALLEST_LOG));
  }

  @ParameterizedTest
  @CsvSource({"0.6, 0.3, 1", "0.6, 0.3, 2", "-0.9, 0.4, 7", "0.99, -0.1, 1000", "0, 1, 63"})
  void complexPowers_areThoseOfModulusAndAngle(double re, double im, long count) {
    double[] product = {1, 0, 0.5, -0.25};
    Spectrum.power(re, im, count, product, 2);
    double modulus = Math.pow(Math.hypot(re, im), (double) count);
    double angle = Math.atan2(im, re) * count;
    double x = modulus * Math.cos(angle);
    double y = modulus * Math.sin(angle);
    double tolerance = modulus * (count + 4) * Spectrum.PRODUCT_ERROR * 2;
    assertThat(product[2]).isCloseTo(0.5 * x + 0.25 * y, within(tolerance));
    assertThat(product[3]).isCloseTo(0.5 * y - 0.25 * x, within(tolerance));
    assertThat(product[0]).isEqualTo(1);
    assertThat(product[1]).isZero();
  }
}
