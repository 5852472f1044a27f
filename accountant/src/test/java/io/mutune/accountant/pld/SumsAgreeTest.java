package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.pld.Convolution.Power;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The few frequencies of a long sum, against its whole transform and the defining sums. */
class SumsAgreeTest {
  private static final int SIZE = 1 << 16;

  @Test
  void lowFrequencies_areTheDefiningSumsAndAllOthersAreBounded() {
    Random random = new Random(3);
    double[] masses = new double[9000];
    double sum = 0;
    for (int i = 0; i < masses.length; i++) {
      double x = (i - 4000) / 900.0;
      masses[i] = Math.exp(-x * x / 2) * (1 + 0.01 * random.nextDouble());
      sum += masses[i];
    }
    for (int i = 0; i < masses.length; i++) {
      masses[i] /= sum;
    }
    LowSpectrum low = LowSpectrum.of(masses, -4000, SIZE, new RealTransform(1 << 12));
    int highest = LowSpectrum.highest(1 << 12);
    for (int k : new int[] {0, 1, 7, 100, highest}) {
      double[] exact = frequency(masses, k);
      // The reference is 9000 terms whose roundings are random.
      assertThat(low.values()[2 * k]).isCloseTo(exact[0], within(low.error() + 1e-14));
      assertThat(low.values()[2 * k + 1]).isCloseTo(exact[1], within(low.error() + 1e-14));
    }
    assertThat(low.error()).isLessThan(1e-13);
    for (int k = highest + 1; k <= SIZE / 2; k += 997) {
      double[] exact = frequency(masses, k);
      assertThat(Math.hypot(exact[0], exact[1])).isLessThanOrEqualTo(Math.exp(low.logRest()));
    }
    assertThat(low.logRest()).isLessThan(-0.5);
  }

  /** Σ m·e^(−2πijk/N) over the places j. */
  private static double[] frequency(double[] masses, int k) {
    double re = 0;
    double im = 0;
    for (int i = 0; i < masses.length; i++) {
      double turn = 2 * Math.PI * Math.floorMod((long) k * (i - 4000), SIZE) / SIZE;
      re += masses[i] * Math.cos(turn);
      im -= masses[i] * Math.sin(turn);
    }
    return new double[] {re, im};
  }

  /** The same measures, the same window: both bounds hold the same sum between them. */
  @Test
  void fewFrequencies_giveWhatTheWholeTransformGives() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(0.8), 0.05);
    List<Part> parts = List.of(new Part(loss, 3000));
    for (double logDelta : new double[] {-5, -12, -40}) {
      Plan plan = Plan.forDelta(parts, logDelta);
      Window window = plan.rough();
      LossMeasure dots = ConnectTheDots.of(loss, window.spacing(), plan.range(0, window));
      Convolution convolution = new Convolution(List.of(new Power(dots, 3000)), window);
      FewFrequencies few = convolution.fewFrequencies().orElseThrow();
      TiltedSum whole = convolution.whole();
      double delta = Math.exp(logDelta);
      double epsilon = whole.epsilonAbove(delta);
      // Each is off by what it bounds itself, far below this.
      assertThat(few.epsilonAbove(delta)).isCloseTo(epsilon, within(1e-7 * epsilon));
      for (double place : new double[] {0.99, 1, 1.01}) {
        double expected = whole.deltaAbove(place * epsilon);
        assertThat(few.deltaAbove(place * epsilon)).isCloseTo(expected, within(1e-6 * expected));
      }
      LossMeasure cells =
          MergedCells.of(loss, window.spacing(), plan.range(0, window), window.tilt());
      Convolution below = new Convolution(List.of(new Power(cells, 3000)), window);
      double lower = below.fewFrequencies().orElseThrow().epsilonBelow(delta, epsilon);
      assertThat(lower).isLessThanOrEqualTo(epsilon);
      // They search down to a point of the grid, and no farther.
      assertThat(lower)
          .isCloseTo(below.whole().epsilonBelow(delta, epsilon), within(2 * window.spacing()));
      double least = below.whole().deltaBelow(epsilon);
      assertThat(least).isBetween(0.98 * delta, delta);
      assertThat(below.fewFrequencies().orElseThrow().deltaBelow(epsilon))
          .isCloseTo(least, within(1e-6 * least));
    }
  }
}
