package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.testing.Effort;
import io.mutune.testing.SelectionLaw;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random stopping as it happens: what is released when a run with a few outputs is repeated K
 * times, summed over K and the outputs, in every order of the outputs and with ties, has to lie
 * below the pair's profile at every ε and in both directions of the neighbours.
 */
class SelectionBySumsTest {
  /**
   * The sums that stand for the truth are off by less: 4000 terms of at most 1, and what is cut.
   */
  private static final double REFERENCE = 1e-12;

  static Stream<SelectionLaw> laws() {
    return Stream.of(
            new TruncatedNegativeBinomial(0, 0.2),
            new TruncatedNegativeBinomial(1, 0.1),
            new TruncatedNegativeBinomial(1, 0.9),
            new TruncatedNegativeBinomial(-0.5, 0.1),
            new TruncatedNegativeBinomial(2.5, 0.2),
            new PoissonTrials(0.3),
            new PoissonTrials(8),
            new BinomialTrials(6, 0.5))
        .map(SelectionLaw::of);
  }

  private static double hockeyStick(double[] p, double[] q, double epsilon) {
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      sum += Math.max(0, p[i] - Math.exp(epsilon) * q[i]);
    }
    return sum;
  }

  private static double[] randomMasses(int size, double spread, Random random) {
    double[] masses = new double[size];
    Arrays.setAll(masses, i -> Math.exp(spread * random.nextGaussian()));
    double sum = Arrays.stream(masses).sum();
    return Arrays.stream(masses).map(m -> m / sum).toArray();
  }

  private static double[] inOrder(double[] masses, int[] order) {
    return Arrays.stream(order).mapToDouble(i -> masses[i]).toArray();
  }

  private static int[] shuffled(int size, Random random) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  @ParameterizedTest
  @MethodSource("laws")
  void randomMechanisms_areBelowTheBoundInEveryOrderAndBothDirections(SelectionLaw law) {
    assertThat(Arrays.stream(law.probabilities()).sum()).isCloseTo(1, within(REFERENCE));
    Random random = new Random(20);
    double closest = 0;
    for (int pair = 0; pair < Effort.of(8, 60); pair++) {
      int size = 2 + random.nextInt(5);
      double spread = pair % 2 == 0 ? 0.2 : 1.5;
      double[] p = randomMasses(size, spread, random);
      double[] noise = randomMasses(size, spread / 2, random);
      double[] q = new double[size];
      Arrays.setAll(q, i -> p[i] * noise[i]);
      double sum = Arrays.stream(q).sum();
      Arrays.setAll(q, i -> q[i] / sum);
      if (pair % 4 == 3) {
        // An output that one of the two never has.
        q[1] += q[0];
        q[0] = 0;
      }
      PrivacyLoss bound =
          SelectedLoss.of(new Part(DiscreteLoss.of(p, q), 1), CountDensity.of(law.count()));
      PrivacyLoss back = bound.reversed();
      for (int i = 0; i < 40; i++) {
        int[] order = shuffled(size, random);
        boolean[] ties = new boolean[size];
        for (int k = 0; k < size; k++) {
          ties[k] = random.nextInt(4) == 0;
        }
        double[] best = law.released(inOrder(p, order), ties);
        double[] other = law.released(inOrder(q, order), ties);
        for (double epsilon = -3; epsilon < 5; epsilon += 0.37) {
          double stated = SingleLoss.deltaAbove(bound, epsilon);
          double turned = SingleLoss.deltaAbove(back, epsilon);
          double truth = hockeyStick(best, other, epsilon);
          assertThat(truth).isLessThanOrEqualTo(stated + REFERENCE);
          assertThat(hockeyStick(other, best, epsilon)).isLessThanOrEqualTo(turned + REFERENCE);
          closest = epsilon >= 0 && stated > 1e-6 ? Math.max(closest, truth / stated) : closest;
        }
      }
    }
    assertThat(closest).isBetween(0.7, 1 + 1e-6);
  }

  /**
   * The order that is worst for one event, the largest outputs: next below them in rank is as much
   * as possible of what the neighbour has least of. Its exact sums come near the bound, so that no
   * bound for all orders could be much lower.
   */
  @Test
  void theWorstOrderOfGaussianRuns_isNearTheBound() {
    double mu = 1 / 5.6;
    TrialCount count = new TruncatedNegativeBinomial(1, 0.1);
    SelectionLaw law = SelectionLaw.of(count);
    PrivacyLoss bound = SelectedLoss.of(new Part(new GaussianLoss(mu), 1), CountDensity.of(count));
    double epsilon = 1;
    double stated = SingleLoss.deltaAbove(bound, epsilon);
    double worst = 0;
    for (double low = -2; low < 3; low += 0.05) {
      for (double high = 3; high < 6; high += 0.05) {
        double x = tail(low - mu) - tail(high - mu);
        double y = tail(low) - tail(high);
        double p = law.best(x, x + tail(high - mu));
        double q = law.best(y, y + tail(high));
        worst = Math.max(worst, p - Math.exp(epsilon) * q);
      }
    }
    assertThat(worst / stated).isBetween(0.87, 1.0);
  }

  private static double tail(double z) {
    return NormalTail.above(z, NormalTail.beyond(z));
  }
}
