package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.pld.Convolution.Power;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of measures on one grid, against their composition by brute force in 60 digits. */
class ConvolutionTest {
  private static final double SPACING = 0.125;

  private static LossMeasure measure(int seed, int size, long first, double infinite) {
    Random random = new Random(seed);
    double[] masses = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      masses[i] = Math.exp(-8 * random.nextDouble());
      sum += masses[i];
    }
    for (int i = 0; i < size; i++) {
      masses[i] *= (1 - infinite) / sum;
    }
    return new LossMeasure(SPACING, first, masses, infinite, 1e-3 * seed);
  }

  private static Window window(int size, long first, double tilt) {
    return new Window(SPACING, size, first, tilt, tilt + 2, tilt - 2, 0);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.7, 0", "3, 0", "6, 0", "0.7, 1e-3", "3, 0.2"})
  void aSum_isBruteForcesBetweenItsBounds(double tilt, double infinite) {
    LossMeasure one = measure(1, 9, -4, infinite);
    LossMeasure two = measure(2, 6, -2, 0);
    ExactLosses exact =
        ExactLosses.of(one)
            .compose(ExactLosses.of(one))
            .compose(ExactLosses.of(two))
            .compose(ExactLosses.of(one));
    // From below all sums to far above them.
    TiltedSum sum =
        new Convolution(List.of(new Power(one, 3), new Power(two, 1)), window(64, -20, tilt))
            .whole();
    for (double epsilon = -1.5; epsilon < 1.8; epsilon += 0.21) {
      BigDecimal delta = exact.delta(epsilon);
      double upper = sum.deltaAbove(epsilon);
      assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(delta.min(BigDecimal.ONE));
      double lower = sum.deltaBelow(epsilon);
      assertThat(new BigDecimal(lower)).isLessThanOrEqualTo(delta);
      // Below, the transform's error is more than these digits of a tilted sum.
      if (epsilon > 0.3) {
        assertThat(lower).isGreaterThanOrEqualTo(delta.doubleValue() * (1 - 1e-9) - 1e-9);
        assertThat(upper).isLessThanOrEqualTo(delta.doubleValue() * (1 + 1e-9) + 1e-9);
      }
      if (epsilon > 0.3 && delta.doubleValue() > 6 * infinite + 1e-5) {
        double above = sum.epsilonAbove(delta.doubleValue());
        double below = sum.epsilonBelow(delta.doubleValue(), above);
        assertThat(exact.delta(above).doubleValue()).isLessThanOrEqualTo(delta.doubleValue());
        assertThat(exact.delta(below).doubleValue()).isGreaterThanOrEqualTo(delta.doubleValue());
        assertThat(above).isCloseTo(below, within(1e-6));
      }
    }
  }

  /** A window that has only a part of all sums: what is beyond comes in again at its other end. */
  @ParameterizedTest
  @CsvSource({"16, -10, 0.5", "16, -3, 2", "32, -16, 1", "16, 0, 4"})
  void aNarrowWindow_holdsBothBoundsStill(int size, long first, double tilt) {
    LossMeasure one = measure(3, 8, -3, 1e-4);
    ExactLosses exact = ExactLosses.of(one).compose(ExactLosses.of(one));
    exact = exact.compose(ExactLosses.of(one));
    Window window = window(size, first, tilt);
    TiltedSum sum = new Convolution(List.of(new Power(one, 3)), window).whole();
    for (int i = 1; i < size - 1; i++) {
      double epsilon = (first + i + 0.4) * SPACING + 3 * one.shift();
      assertThat(new BigDecimal(sum.deltaAbove(epsilon)))
          .isGreaterThanOrEqualTo(exact.delta(epsilon).min(BigDecimal.ONE));
      assertThat(new BigDecimal(sum.deltaBelow(epsilon))).isLessThanOrEqualTo(exact.delta(epsilon));
    }
    for (double delta : new double[] {0.3, 1e-2, 1e-3}) {
      BigDecimal asked = new BigDecimal(delta);
      double above = sum.epsilonAbove(delta);
      double below = sum.epsilonBelow(delta, above);
      if (Double.isFinite(above)) {
        assertThat(exact.delta(above)).isLessThanOrEqualTo(asked);
      }
      if (Double.isFinite(below)) {
        assertThat(exact.delta(below)).isGreaterThanOrEqualTo(asked);
      }
    }
  }

  @Test
  void fewFrequencies_areNotTakenWithoutATiltOrForShortSums() {
    LossMeasure one = measure(4, 9, -4, 0);
    assertThat(new Convolution(List.of(new Power(one, 9)), window(64, -20, 0)).fewFrequencies())
        .isEmpty();
    assertThat(
            new Convolution(List.of(new Power(one, 9)), window(1 << 16, -20, 1)).fewFrequencies())
        .isEmpty();
  }

  /** Of a composition, P(∞) is 1 − (1 − p)ⁿ, and both bounds of it are next to that. */
  @Test
  void infiniteMasses_composeAsFailuresDo() {
    LossMeasure one = measure(5, 9, -4, 1e-3);
    TiltedSum sum = new Convolution(List.of(new Power(one, 7)), window(128, -50, 0.5)).whole();
    double failure = -Math.expm1(7 * Math.log1p(-1e-3));
    double top = (128 - 51) * SPACING;
    assertThat(sum.deltaAbove(top)).isBetween(failure * (1 - 1e-12), failure * (1 + 1e-9));
    assertThat(sum.epsilonAbove(failure * (1 - 1e-9))).isInfinite();
    assertThat(sum.epsilonBelow(failure * (1 - 1e-9), 1)).isGreaterThan(top - SPACING);
    assertThat(sum.epsilonAbove(failure * (1 + 1e-6))).isLessThan(top);
  }
}
