package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums that are held by a few frequencies, against the masses that these frequencies stand for, one
 * by one in 60 digits.
 */
class FewFrequenciesTest {
  private static final int SIZE = 256;

  /** Above the rounding of exponents of up to a few hundred. */
  private static final double EXPONENTS = 1e-12;

  /** Of the sums of many measures. */
  private static final int LONG = 1024;

  private static Window window(double spacing, double tilt) {
    return window(spacing, SIZE, tilt);
  }

  private static Window window(double spacing, int size, double tilt) {
    return new Window(spacing, size, -7, tilt, tilt + 1, tilt - 1, 0);
  }

  private static Scale scale(Window window, double infinite) {
    double logScale = Math.min(0, window.tilt() * window.lowest()) - 1;
    return new Scale(window, 0, 0, logScale, EXPONENTS, infinite, infinite, 0, 0);
  }

  /** Of a bell around a place of the window; far out its masses are tiny, of either sign. */
  private static double[] bell(double middle, double deviation, int frequencies) {
    double[] spectrum = new double[2 * frequencies];
    for (int k = 0; k < frequencies; k++) {
      double theta = 2 * Math.PI * k / SIZE;
      double modulus = Math.exp(-theta * theta * deviation * deviation / 2);
      spectrum[2 * k] = modulus * Math.cos(theta * middle);
      spectrum[2 * k + 1] = -modulus * Math.sin(theta * middle);
    }
    return spectrum;
  }

  private static FewFrequencies few(Scale scale, double[] spectrum) {
    return new FewFrequencies(scale, spectrum, new double[spectrum.length / 2], 0);
  }

  /** y(j) = (1/N)·(s₀ + 2·Re Σ s_k·e^(2πijk/N)), and m = y·e^(logScale − λjh) at jh. */
  private static ExactLosses exact(Scale scale, double[] spectrum) {
    List<ExactLosses.Atom> atoms = new ArrayList<>();
    Window window = scale.window();
    BigDecimal[][] roots = Digits.rootsOfUnity(window.size());
    BigDecimal spacing = new BigDecimal(window.spacing());
    BigDecimal tilt = new BigDecimal(window.tilt());
    for (int i = 0; i < window.size(); i++) {
      long place = window.first() + i;
      BigDecimal sum = new BigDecimal(spectrum[0]);
      for (int k = 1; 2 * k < spectrum.length; k++) {
        BigDecimal[] root = roots[Math.floorMod(place * k, roots.length)];
        BigDecimal re = root[0].multiply(new BigDecimal(spectrum[2 * k]));
        BigDecimal im = root[1].multiply(new BigDecimal(spectrum[2 * k + 1]));
        sum = sum.add(re.subtract(im).multiply(BigDecimal.valueOf(2)), Digits.FIFTY);
      }
      BigDecimal loss = spacing.multiply(BigDecimal.valueOf(place));
      BigDecimal weight =
          Digits.exp(new BigDecimal(scale.logScale()).subtract(loss.multiply(tilt)));
      BigDecimal mass = sum.divide(BigDecimal.valueOf(window.size()), Digits.FIFTY);
      atoms.add(new ExactLosses.Atom(loss, mass.multiply(weight, Digits.FIFTY)));
    }
    return new ExactLosses(atoms, new BigDecimal(scale.leastInfinite()));
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.3, 0", "0.1, 4, 0", "0.01, 2, 1e-6", "1e-5, 3000, 0", "1.5, 0.4, 0"})
  void deltas_areTheSumsAtAndBetweenPoints(double spacing, double tilt, double infinite) {
    Scale scale = scale(window(spacing, tilt), infinite);
    double[] spectrum = bell(90, 12, 20);
    FewFrequencies few = few(scale, spectrum);
    ExactLosses exact = exact(scale, spectrum);
    for (double place = 60; place < 150; place += 9.37) {
      double epsilon = (scale.window().first() + place) * spacing;
      BigDecimal delta = exact.delta(epsilon);
      double upper = few.deltaAbove(epsilon);
      assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(delta);
      // Weights are 64 ulp and some for exponents; far out, what the largest masses round to.
      double most = exact.delta(60 * spacing).doubleValue();
      double room = 1e-10 * (delta.doubleValue() + most * Math.exp(-tilt * spacing * (place - 60)));
      assertThat(upper).isLessThanOrEqualTo(delta.doubleValue() + room);
    }
    assertThat(few.deltaAbove(scale.window().lowest() - spacing)).isEqualTo(1);
    double top = scale.window().highest();
    assertThat(few.deltaAbove(2 * top)).isEqualTo(infinite);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.3, 0", "0.1, 4, 0", "0.01, 2, 1e-40", "1e-5, 3000, 0", "1.5, 0.4, 0"})
  void epsilons_areWhereTheSumsAreDelta(double spacing, double tilt, double infinite) {
    Scale scale = scale(window(spacing, tilt), infinite);
    double[] spectrum = bell(90, 12, 20);
    FewFrequencies few = few(scale, spectrum);
    ExactLosses exact = exact(scale, spectrum);
    for (double place : new double[] {75.2, 89.9, 96.5, 120}) {
      double delta = exact.delta((scale.window().first() + place) * spacing).doubleValue();
      double above = few.epsilonAbove(delta);
      assertThat(exact.delta(above)).isLessThanOrEqualTo(new BigDecimal(delta));
      assertThat(above)
          .isCloseTo(
              (scale.window().first() + place) * spacing,
              within(1e-6 * spacing + 1e-9 * Math.abs(above)));
      // It stops at a point of the grid.
      double below = few.epsilonBelow(delta, above);
      assertThat(exact.delta(below)).isGreaterThan(new BigDecimal(delta));
      assertThat(above - below).isBetween(0.0, 1.01 * spacing);
    }
  }

  /** A δ that all or none of the window's places keep. */
  @Test
  void whereNothingCrosses_theWindowsEndsAreSaid() {
    Scale scale = scale(window(0.1, 0.5), 1e-4);
    double[] spectrum = bell(90, 12, 20);
    FewFrequencies few = few(scale, spectrum);
    assertThat(few.epsilonAbove(0.9e-4)).isInfinite();
    assertThat(few.epsilonBelow(0.9e-4, scale.window().highest()))
        .isCloseTo(scale.window().highest(), within(0.11));
    assertThat(few.epsilonAbove(1)).isLessThanOrEqualTo(scale.window().lowest() + 1e-9);
    assertThat(few.epsilonBelow(1, 3)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  /**
   * A spectrum that is off by so much at every frequency, with the phases at which δ(ε) is off by
   * most: δ is linear in it, with slopes of Σ (2/N)·weight·e^(2πijk/N).
   */
  private static double[] worst(Scale scale, double[] spectrum, double[] off, double place) {
    Window window = scale.window();
    double epsilon = (window.first() + place) * window.spacing();
    double[] other = Arrays.copyOf(spectrum, 2 * off.length);
    for (int k = 0; k < off.length; k++) {
      double re = 0;
      double im = 0;
      for (int i = (int) Math.ceil(place); i < SIZE; i++) {
        double loss = (window.first() + i) * window.spacing();
        double weight = Math.exp(-window.tilt() * loss) * -Math.expm1(epsilon - loss);
        double turn = 2 * Math.PI * k * (window.first() + i) / SIZE;
        re += weight * Math.cos(turn);
        im -= k == 0 ? 0 : weight * Math.sin(turn);
      }
      other[2 * k] += off[k] * re / Math.hypot(re, im);
      other[2 * k + 1] += off[k] * im / Math.hypot(re, im);
    }
    return other;
  }

  /**
   * Up to 128 frequencies: 20 that are known, to an error, and others of up to the rest's bound.
   */
  @ParameterizedTest
  @CsvSource({"1e-6, 0", "1e-9, 0", "0, 1e-7", "0, 1e-9", "1e-6, 1e-8"})
  void bounds_holdForAllSpectraWithinTheErrors(double error, double rest) {
    Scale scale = scale(window(0.05, 1.5), 0);
    double[] spectrum = bell(100, 12, 20);
    double[] errors = new double[20];
    Arrays.fill(errors, error);
    double[] up = new double[SIZE / 2];
    Arrays.fill(up, rest);
    Arrays.fill(up, 0, 20, error);
    double[] down = Arrays.stream(up).map(x -> -x).toArray();
    FewFrequencies few = new FewFrequencies(scale, spectrum, errors, rest);
    for (int place : new int[] {80, 96, 105}) {
      double epsilon = (scale.window().first() + place) * 0.05;
      ExactLosses higher = exact(scale, worst(scale, spectrum, up, place));
      ExactLosses lower = exact(scale, worst(scale, spectrum, down, place));
      BigDecimal most = higher.delta(epsilon);
      BigDecimal least = lower.delta(epsilon);
      assertThat(new BigDecimal(few.deltaAbove(epsilon))).isGreaterThanOrEqualTo(most);
      // Between the two, what holds for one of them does not for the other.
      for (double part : new double[] {0.01, 0.3, 0.7, 0.99}) {
        BigDecimal gap = most.subtract(least).multiply(BigDecimal.valueOf(part));
        double delta = least.add(gap).doubleValue();
        double above = few.epsilonAbove(delta);
        assertThat(higher.delta(above)).isLessThanOrEqualTo(new BigDecimal(delta));
        assertThat(lower.delta(few.epsilonBelow(delta, above + 0.2)))
            .isGreaterThanOrEqualTo(new BigDecimal(delta));
      }
    }
  }

  /** What each of n factors is off by makes the product off by n times that. */
  @Test
  void factorsErrors_areInTheSumsBound() {
    int count = 160;
    LowSpectrum low = LowSpectrum.of(masses(), -60, LONG, new RealTransform(LONG / 2));
    FewFrequencies.Product product = new FewFrequencies.Product(LONG / 2);
    product.multiply(low, count);
    Window window = window(0.02, LONG, 0.7);
    // Without room of its own for exponents.
    Scale scale = new Scale(window, 0, 0, -1, 0, 0, 0, 0, 0);
    FewFrequencies few = product.sum(scale);
    double[] power = power(masses(), -60, count);
    power[0] = Math.pow(1 + low.error(), count);
    ExactLosses truth = exact(scale, power);
    for (int place : new int[] {50, 300, 500}) {
      double epsilon = (window.first() + place) * 0.02;
      assertThat(new BigDecimal(few.deltaAbove(epsilon)))
          .isGreaterThanOrEqualTo(truth.delta(epsilon));
    }
  }

  private static double[] masses() {
    double[] masses = new double[120];
    double sum = 0;
    for (int i = 0; i < masses.length; i++) {
      double x = (i - 60) / 20.0;
      masses[i] = Math.exp(-x * x / 2) * (1 + 0.01 * (i % 3));
      sum += masses[i];
    }
    for (int i = 0; i < masses.length; i++) {
      masses[i] /= sum;
    }
    return masses;
  }

  /** The n-th power of every frequency in 60 digits, up to where these are below 10⁻⁴⁰. */
  private static double[] power(double[] masses, long first, int count) {
    BigDecimal[][] roots = Digits.rootsOfUnity(LONG);
    double[] powers = new double[LONG];
    int length = 0;
    for (int k = 0; k < LONG / 2; k++) {
      BigDecimal re = BigDecimal.ZERO;
      BigDecimal im = BigDecimal.ZERO;
      for (int i = 0; i < masses.length; i++) {
        BigDecimal[] root = roots[Math.floorMod((first + i) * k, LONG)];
        re = re.add(root[0].multiply(new BigDecimal(masses[i])), Digits.FIFTY);
        im = im.subtract(root[1].multiply(new BigDecimal(masses[i])), Digits.FIFTY);
      }
      if (Math.pow(Math.hypot(re.doubleValue(), im.doubleValue()), count) < 1e-40) {
        continue;
      }
      BigDecimal x = BigDecimal.ONE;
      BigDecimal y = BigDecimal.ZERO;
      for (int n = 0; n < count; n++) {
        BigDecimal next = x.multiply(re).subtract(y.multiply(im)).round(Digits.FIFTY);
        y = x.multiply(im).add(y.multiply(re)).round(Digits.FIFTY);
        x = next;
      }
      powers[2 * k] = x.doubleValue();
      powers[2 * k + 1] = y.doubleValue();
      length = 2 * k + 2;
    }
    return Arrays.copyOf(powers, length);
  }

  /** Long enough a sum has few frequencies; a short one has more, and is not taken for it. */
  @Test
  void aLongSum_isItsCyclicConvolution() {
    int count = 160;
    long first = -60;
    LowSpectrum low = LowSpectrum.of(masses(), first, LONG, new RealTransform(LONG / 2));
    FewFrequencies.Product product = new FewFrequencies.Product(LONG / 2);
    assertThat(product.isComplete()).isFalse();
    product.multiply(low, 20);
    assertThat(product.isComplete()).isFalse();
    product.multiply(low, count - 20);
    assertThat(product.isComplete()).isTrue();
    Scale scale = scale(window(0.02, LONG, 0.7), 0);
    FewFrequencies few = product.sum(scale);
    ExactLosses exact = exact(scale, power(masses(), first, count));
    for (double place : new double[] {5, 101.3, 280.9, 499.2, 770.1}) {
      double epsilon = (scale.window().first() + place) * 0.02;
      BigDecimal delta = exact.delta(epsilon);
      double upper = few.deltaAbove(epsilon);
      assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(delta);
      // 160 factors that are each off by their transform's error of some 10⁻¹⁴.
      assertThat(upper).isCloseTo(delta.doubleValue(), within(1e-9 * delta.doubleValue()));
      double above = few.epsilonAbove(delta.doubleValue());
      assertThat(exact.delta(above).doubleValue()).isLessThanOrEqualTo(delta.doubleValue());
      assertThat(above).isCloseTo(epsilon, within(1e-6));
    }
  }

  /** Of very many factors only the mean of all masses is left, and frequencies that fall out. */
  @Test
  void aVeryLongSum_isEvenOverTheCycle() {
    FewFrequencies.Product product = new FewFrequencies.Product(LONG / 2);
    product.multiply(LowSpectrum.of(masses(), -60, LONG, new RealTransform(LONG / 2)), 1_000_000);
    Scale scale = scale(window(0.02, LONG, 0.7), 0);
    FewFrequencies few = product.sum(scale);
    ExactLosses even = exact(scale, new double[] {1, 0});
    for (double place : new double[] {5, 280.9, 600.7}) {
      double epsilon = (scale.window().first() + place) * 0.02;
      double delta = even.delta(epsilon).doubleValue();
      // A million factors of 10⁻¹⁴ each, which the bound has to admit.
      assertThat(few.deltaAbove(epsilon)).isBetween(delta * (1 - 1e-8), delta * (1 + 1e-6));
    }
  }
}
