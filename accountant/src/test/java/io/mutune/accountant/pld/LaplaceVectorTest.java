package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the proof in the docs says of two coordinates, by formulas that do not use it. */
class LaplaceVectorTest {
  /** The ratio of the docs, by which Q(L₁ + L₂ > ℓ) crosses Q(L > ℓ) once and from above. */
  @Test
  void theSumOfTwoCoordinatesLosses_hasTheTailOfTheProof() {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      double a = 3 * random.nextDouble();
      double b = a + 3 * random.nextDouble();
      for (int k = 1; k < 40; k++) {
        double loss = (a + b) * (2 * (k - 0.37) / 40 - 1);
        double ratio = 1 + a / 2;
        if (loss < a - b) {
          ratio = 1.5 + (loss + a + b) / 4;
        } else if (loss >= b - a) {
          ratio = 0.5 + (a + b - loss) / 4;
        }
        // The middles of 4000 cells miss at most half a cell at each of two jumps of at most 1/2.
        assertThat(above(a, b, loss))
            .isCloseTo(ratio * tail(a + b, loss), within(2 * a / 4000 / 4 + 1e-6));
      }
    }
  }

  /** δ of two coordinates by summing over the first one's loss in fine cells. */
  @Test
  void twoCoordinates_haveNoLargerDeltaThanOneOfTheWholeShift() {
    Random random = new Random(8);
    for (int i = 0; i < 100; i++) {
      double a = 0.05 + 3 * random.nextDouble();
      double b = 0.05 + 3 * random.nextDouble();
      double epsilon = (a + b) * (2 * random.nextDouble() - 1);
      assertThat(deltaBelow(a, b, epsilon)).isLessThanOrEqualTo(delta(a + b, epsilon) + 1e-13);
    }
  }

  /** Q(L₁ + L₂ > ℓ), by the law of L₁: two atoms and e^(−(ℓ + a)/2)/4 between them. */
  private static double above(double a, double b, double loss) {
    double sum = tail(b, loss + a) / 2 + tail(b, loss - a) * Math.exp(-a) / 2;
    int steps = 4000;
    double step = 2 * a / steps;
    for (int i = 0; i < steps; i++) {
      double first = -a + (i + 0.5) * step;
      sum += step * Math.exp(-(first + a) / 2) / 4 * tail(b, loss - first);
    }
    return sum;
  }

  private static double tail(double a, double loss) {
    return loss < -a ? 1 : loss >= a ? 0 : Math.exp(-(loss + a) / 2) / 2;
  }

  /** At most δ: the first loss is told by the lower end of its cell, which is post-processing. */
  private static double deltaBelow(double a, double b, double epsilon) {
    LaplaceLoss first = new LaplaceLoss(a);
    int cells = 2000;
    double sum = 0;
    Split low = first.at(-a - 1);
    double place = -a;
    for (int i = 0; i <= cells; i++) {
      double end = -a + 2 * a * i / cells;
      Split high = first.at(end);
      sum += (low.pAbove() - high.pAbove()) * delta(b, epsilon - place);
      low = high;
      place = end;
    }
    return sum;
  }

  /** δ(ε) of one number, for any real ε. */
  private static double delta(double a, double epsilon) {
    Split s = new LaplaceLoss(a).at(epsilon);
    return Math.max(0, s.pAbove() - Math.exp(epsilon) * s.qAbove());
  }
}
