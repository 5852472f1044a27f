package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** δ and ε of masses under a tilt, against the masses' own sums in 60 digits. */
class TiltedSumTest {
  private static final int SIZE = 64;

  /** Above the rounding of exponents of up to a few thousand. */
  private static final double EXPONENTS = 2e-12;

  private static Window window(double spacing, double tilt) {
    return new Window(spacing, SIZE, -5, tilt, tilt + 1, tilt - 1, 0);
  }

  private static Scale scale(Window window, double logScale, double infinite, double wrapped) {
    return new Scale(window, 0, 0, logScale, EXPONENTS, infinite, infinite, 0, wrapped);
  }

  private static double[] masses(int seed) {
    Random random = new Random(seed);
    double[] masses = new double[SIZE];
    double sum = 0;
    for (int i = 0; i < SIZE; i++) {
      masses[i] = Math.exp(-0.02 * (i - 20) * (i - 20)) * (0.5 + random.nextDouble());
      sum += masses[i];
    }
    for (int i = 0; i < SIZE; i++) {
      masses[i] /= sum;
    }
    return masses;
  }

  /** What the masses stand for: m·e^(logScale − λkh) at kh. */
  private static ExactLosses exact(Window window, double logScale, double[] masses) {
    List<ExactLosses.Atom> atoms = new ArrayList<>();
    BigDecimal spacing = new BigDecimal(window.spacing());
    for (int i = 0; i < masses.length; i++) {
      BigDecimal loss = spacing.multiply(BigDecimal.valueOf(window.first() + i));
      BigDecimal weight =
          Digits.exp(
              new BigDecimal(logScale).subtract(loss.multiply(new BigDecimal(window.tilt()))));
      atoms.add(new ExactLosses.Atom(loss, weight.multiply(new BigDecimal(masses[i]))));
    }
    return new ExactLosses(atoms, BigDecimal.ZERO);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0", "0.1, 2", "0.1, 40", "1e-6, 1e5", "3, 0.3", "3, 20", "25, 4", "200, 1.4"})
  void deltas_areTheSumsAtAndBetweenPoints(double spacing, double tilt) {
    Window window = window(spacing, tilt);
    double[] masses = masses(1);
    // Small enough that nothing is cut off at 1.
    double logScale = Math.min(0, tilt * window.lowest()) - 1;
    TiltedSum sum = new TiltedSum(scale(window, logScale, 0, 0), masses, 0);
    ExactLosses exact = exact(window, logScale, masses);
    for (double place = 0.37; place < SIZE - 1; place += 1.37) {
      double epsilon = (window.first() + place) * spacing;
      BigDecimal delta = exact.delta(epsilon);
      double upper = sum.deltaAbove(epsilon);
      assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(delta);
      // A few hundred roundings, and those of exponents of a few thousand; 10⁻³⁰⁰ is no sum's.
      double room = 1e-11 * delta.doubleValue() + 1e-299;
      assertThat(upper).isLessThanOrEqualTo(delta.doubleValue() + room);
    }
    assertThat(sum.deltaAbove(window.lowest() - spacing)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0", "0.1, 2", "0.1, 40", "1e-6, 1e5", "3, 0.3", "3, 5", "25, 0.2"})
  void epsilons_areWhereTheSumsAreDelta(double spacing, double tilt) {
    Window window = window(spacing, tilt);
    double[] masses = masses(2);
    double logScale = Math.min(0, tilt * window.lowest()) - 1;
    TiltedSum sum = new TiltedSum(scale(window, logScale, 0, 0), masses, 0);
    ExactLosses exact = exact(window, logScale, masses);
    for (double place : new double[] {3.3, 12.5, 20, 21.9, 35.1}) {
      double delta = exact.delta((window.first() + place) * spacing).doubleValue();
      double above = sum.epsilonAbove(delta);
      double below = sum.epsilonBelow(delta, 0);
      assertThat(exact.delta(above)).isLessThanOrEqualTo(new BigDecimal(delta));
      assertThat(exact.delta(below)).isGreaterThanOrEqualTo(new BigDecimal(delta));
      // Between two points ε moves by up to e^h of what δ is off by, relatively.
      double room = Math.min(spacing, 10 * EXPONENTS * Math.exp(spacing));
      assertThat(above).isCloseTo(below, within(1e-9 * (1 + Math.abs(above)) + room));
    }
  }

  /**
   * Errors of the masses are no more than a Euclidean norm. Whatever the masses are within it, the
   * bound holds: at every place, between points too, where one point's error counts nearly whole.
   */
  @ParameterizedTest
  @CsvSource({"0.1, 0.5", "0.1, 30", "3, 2", "20, 5", "100, 3"})
  void deltas_holdForAllMassesWithinTheError(double spacing, double tilt) {
    Window window = window(spacing, tilt);
    double[] masses = masses(3);
    double error = 1e-3;
    double logScale = Math.min(0, tilt * window.lowest()) - 8;
    TiltedSum sum = new TiltedSum(scale(window, logScale, 0, 0), masses, error);
    for (double place = 2; place < SIZE - 4; place += 3.83) {
      double epsilon = (window.first() + place) * spacing;
      // The worst masses: more where a mass counts most at this place.
      double[] worst = masses.clone();
      double[] weights = new double[SIZE];
      double norm = 0;
      for (int i = 0; i < SIZE; i++) {
        double over = (window.first() + i) * spacing - epsilon;
        weights[i] = over > 0 ? Math.exp(-tilt * over) * -Math.expm1(-over) : 0;
        norm += weights[i] * weights[i];
      }
      for (int i = 0; i < SIZE && norm > 0; i++) {
        worst[i] += error * weights[i] / Math.sqrt(norm) * (1 - 1e-9);
      }
      BigDecimal delta = exact(window, logScale, worst).delta(epsilon);
      assertThat(new BigDecimal(sum.deltaAbove(epsilon)))
          .isGreaterThanOrEqualTo(delta.min(BigDecimal.ONE));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 1e-3, 0.05})
  void epsilons_giveWayToErrors(double error) {
    Window window = window(0.1, 1);
    double[] masses = masses(4);
    TiltedSum exact = new TiltedSum(scale(window, -1, 0, 0), masses, 0);
    TiltedSum rough = new TiltedSum(scale(window, -1, 0, 0), masses, error);
    double delta = exact.deltaAbove(1);
    assertThat(rough.deltaAbove(1)).isGreaterThan(delta);
    assertThat(rough.epsilonAbove(delta)).isGreaterThan(exact.epsilonAbove(delta));
    assertThat(rough.epsilonBelow(delta, 0)).isLessThan(exact.epsilonBelow(delta, 0));
  }

  @Test
  void masses_thatMayBelongElsewhereAreTakenFromTheLowerEndOnly() {
    Window window = window(0.1, 1);
    double[] masses = masses(5);
    TiltedSum all = new TiltedSum(scale(window, -1, 0, 0), masses, 0);
    TiltedSum fewer = new TiltedSum(scale(window, -1, 0, 0.01), masses, 0);
    double delta = all.deltaAbove(0.8);
    assertThat(fewer.epsilonAbove(delta)).isEqualTo(all.epsilonAbove(delta));
    assertThat(fewer.epsilonBelow(delta, 0)).isLessThan(all.epsilonBelow(delta, 0));
  }

  @Test
  void infiniteMasses_areSpentBeforeAnythingElse() {
    Window window = window(0.1, 1);
    TiltedSum sum = new TiltedSum(scale(window, -1, 1e-3, 0), masses(6), 0);
    assertThat(sum.epsilonAbove(0.9e-3)).isInfinite();
    assertThat(sum.epsilonAbove(1e-3)).isInfinite();
    assertThat(sum.epsilonAbove(2e-3)).isLessThan(window.highest());
    // From below: no ε of the window is enough.
    assertThat(sum.epsilonBelow(0.9e-3, 0)).isCloseTo(window.highest(), within(1e-12));
    assertThat(sum.deltaAbove(window.highest() - 1e-3)).isGreaterThan(1e-3);
  }

  @Test
  void whatIsNoNumber_isNoAnswer() {
    Window window = window(0.1, 1);
    double[] masses = new double[SIZE];
    Arrays.fill(masses, Double.NaN);
    Scale scale =
        new Scale(window, 0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, Double.NaN);
    TiltedSum sum = new TiltedSum(scale, masses, Double.NaN);
    assertThat(sum.epsilonBelow(1e-5, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(sum.epsilonAbove(1e-5)).isInfinite();
    assertThat(sum.deltaAbove(0.3)).isEqualTo(1);
  }

  @Test
  void aDeltaAboveAll_isAtTheWindowsLowestLossAndTellsNothingFromBelow() {
    Window window = window(0.1, 0);
    TiltedSum sum = new TiltedSum(scale(window, 0, 0, 0), masses(7), 0);
    assertThat(sum.epsilonAbove(1)).isCloseTo(window.lowest(), within(1e-12));
    assertThat(sum.epsilonBelow(1, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  /** Moving masses to cells' ends widens ε by n·h/12 times the density over Q's tail. */
  @Test
  void widening_isTheShareOfTheDensityAtTheAnswer() {
    Window window = window(0.1, 0);
    double[] masses = masses(8);
    TiltedSum sum = new TiltedSum(scale(window, 0, 0, 0), masses, 0);
    double epsilon = sum.epsilonAbove(0.05);
    int at = (int) Math.floor(epsilon / 0.1) + 5;
    double otherAbove = 0;
    for (int i = at + 1; i < SIZE; i++) {
      otherAbove += masses[i] * Math.exp(epsilon - (window.first() + i) * 0.1);
    }
    double expected = 100 * 0.1 / 12 * masses[at + 1] / otherAbove;
    assertThat(sum.widening(100)).isCloseTo(expected, within(0.15 * expected));
    assertThat(sum.widening(200)).isCloseTo(2 * sum.widening(100), within(1e-12));
  }
}
