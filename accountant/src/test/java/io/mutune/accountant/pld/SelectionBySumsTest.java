package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.testing.Effort;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random stopping as it happens: what is released when a run with a few outputs is repeated K
 * times, summed over K and the outputs, in every order of the outputs and with ties, has to lie
 * below the pair's profile at every ε and in both directions of the neighbours.
 */
class SelectionBySumsTest {
  private static final int MOST_RUNS = 3000;

  /**
   * The sums that stand for the truth are off by less: 3000 terms of at most 1, and what is cut.
   */
  private static final double REFERENCE = 1e-12;

  /** Laws, by P(K = k) from their definitions and by what the accountant takes. */
  private static final class Law {
    private final String name;
    private final double[] probabilities;
    private final CountDensity density;

    Law(String name, double[] probabilities, CountDensity density) {
      this.name = name;
      this.probabilities = probabilities;
      this.density = density;
    }

    private double generating(double z) {
      double sum = 0;
      double power = 1;
      for (int k = 0; k < probabilities.length && power > 0; k++) {
        sum += probabilities[k] * power;
        power *= z;
      }
      return sum;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Law geometric(double gamma) {
    return negativeBinomial("geometric " + gamma, 1, gamma);
  }

  private static Law negativeBinomial(String name, double shape, double gamma) {
    return new Law(
        name,
        negativeBinomial(shape, gamma),
        CountDensity.of(new TruncatedNegativeBinomial(shape, gamma)));
  }

  static Stream<Law> laws() {
    return Stream.of(
        negativeBinomial("logarithmic", 0, 0.2),
        geometric(0.1),
        geometric(0.9),
        negativeBinomial("heavy", -0.5, 0.1),
        negativeBinomial("light", 2.5, 0.2),
        new Law("seldom", poisson(0.3), CountDensity.of(new PoissonTrials(0.3))),
        new Law("poisson", poisson(8), CountDensity.of(new PoissonTrials(8))),
        new Law("binomial", binomial(6, 0.5), CountDensity.of(new BinomialTrials(6, 0.5))));
  }

  private static double[] negativeBinomial(double shape, double gamma) {
    double[] all = new double[MOST_RUNS];
    all[1] = 1;
    for (int k = 1; k + 1 < MOST_RUNS; k++) {
      all[k + 1] = all[k] * (1 - gamma) * (k + shape) / (k + 1);
    }
    double sum = Arrays.stream(all).sum();
    return Arrays.stream(all).map(p -> p / sum).toArray();
  }

  private static double[] poisson(double mean) {
    double[] all = new double[200];
    all[0] = Math.exp(-mean);
    for (int k = 1; k < all.length; k++) {
      all[k] = all[k - 1] * mean / k;
    }
    return all;
  }

  private static double[] binomial(int n, double p) {
    double[] all = new double[n + 1];
    for (int k = 0; k <= n; k++) {
      all[k] =
          CombinatoricsUtils.binomialCoefficientDouble(n, k)
              * Math.pow(p, k)
              * Math.pow(1 - p, n - k);
    }
    return all;
  }

  /**
   * What is released where the outputs are in ascending order, but for those that tie with the one
   * before them; of these each is released as often as it is run. The last entry is no run.
   */
  private static double[] released(double[] run, boolean[] ties, Law law) {
    double[] best = new double[run.length + 1];
    double below = 0;
    for (int from = 0; from < run.length; ) {
      int to = from + 1;
      while (to < run.length && ties[to]) {
        to++;
      }
      double mass = Arrays.stream(run, from, to).sum();
      double group = law.generating(below + mass) - law.generating(below);
      for (int i = from; i < to; i++) {
        best[i] = mass > 0 ? group * run[i] / mass : 0;
      }
      below += mass;
      from = to;
    }
    best[run.length] = law.probabilities[0];
    return best;
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
  void randomMechanisms_areBelowTheBoundInEveryOrderAndBothDirections(Law law) {
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
      PrivacyLoss bound = SelectedLoss.of(new Part(DiscreteLoss.of(p, q), 1), law.density);
      PrivacyLoss back = bound.reversed();
      for (int i = 0; i < 40; i++) {
        int[] order = shuffled(size, random);
        boolean[] ties = new boolean[size];
        for (int k = 0; k < size; k++) {
          ties[k] = random.nextInt(4) == 0;
        }
        double[] best = released(inOrder(p, order), ties, law);
        double[] other = released(inOrder(q, order), ties, law);
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
    Law law = geometric(0.1);
    PrivacyLoss bound = SelectedLoss.of(new Part(new GaussianLoss(mu), 1), law.density);
    double epsilon = 1;
    double stated = SingleLoss.deltaAbove(bound, epsilon);
    double worst = 0;
    for (double low = -2; low < 3; low += 0.05) {
      for (double high = 3; high < 6; high += 0.05) {
        double x = tail(low - mu) - tail(high - mu);
        double y = tail(low) - tail(high);
        double p = law.generating(x + tail(high - mu)) - law.generating(x);
        double q = law.generating(y + tail(high)) - law.generating(y);
        worst = Math.max(worst, p - Math.exp(epsilon) * q);
      }
    }
    assertThat(worst / stated).isBetween(0.87, 1.0);
  }

  private static double tail(double z) {
    return NormalTail.above(z, NormalTail.beyond(z));
  }
}
