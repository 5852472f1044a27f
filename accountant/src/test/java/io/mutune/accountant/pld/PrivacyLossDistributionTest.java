package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Composing, and what compositions owe to each other. */
class PrivacyLossDistributionTest {
  private static final Delta DELTA = Delta.of(1e-6);

  private static final PrivacyLossDistribution SAMPLES =
      PrivacyLossDistribution.of(new PoissonSubsampledLoss(new GaussianLoss(0.9), 0.1), 12);
  private static final PrivacyLossDistribution RESPONSES =
      PrivacyLossDistribution.of(new RandomisedResponseLoss(0.2, 1e-8), 5);

  private static double epsilon(double sigma, double q, double sensitivity, long count) {
    Mechanism steps = new SubsampledGaussian(NoiseMultiplier.of(sigma), q, sensitivity, count);
    return PldAccountant.of(List.of(steps), Adjacency.ADD_REMOVE).epsilon(DELTA);
  }

  @Test
  void composing_isOnlyCounting() {
    PrivacyLossDistribution both = SAMPLES.compose(RESPONSES);
    assertThat(both)
        .isEqualTo(RESPONSES.compose(SAMPLES))
        .hasSameHashCodeAs(RESPONSES.compose(SAMPLES));
    assertThat(both).isNotEqualTo(SAMPLES);
    assertThat(both.compose(both))
        .isEqualTo(SAMPLES.compose(SAMPLES).compose(RESPONSES).compose(RESPONSES));
    assertThat(RESPONSES.compose(RESPONSES))
        .isEqualTo(PrivacyLossDistribution.of(new RandomisedResponseLoss(0.2, 1e-8), 10));
    assertThat(both.compose(PrivacyLossDistribution.NONE)).isEqualTo(both);
    assertThat(PrivacyLossDistribution.NONE.compose(both)).isEqualTo(both);
  }

  @Test
  void counts_neverOverflow() {
    PrivacyLossDistribution most = PrivacyLossDistribution.of(new LaplaceLoss(1), Long.MAX_VALUE);
    assertThatThrownBy(() -> most.compose(most)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void nothing_costsNothing() {
    assertThat(PrivacyLossDistribution.NONE.epsilon(Delta.of(0))).isZero();
    assertThat(PrivacyLossDistribution.NONE.epsilonAtMost(Delta.of(0), 1)).isZero();
    assertThat(PrivacyLossDistribution.NONE.delta(Epsilon.of(0)).value()).isZero();
    assertThat(PrivacyLossDistribution.NONE.isSingleSample()).isFalse();
  }

  @Test
  void anIntervals_endsAreInOrder() {
    assertThatThrownBy(() -> new EpsilonInterval(2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an interval needs 0 <= lower <= upper; was [2.0, 1.0]");
    assertThatThrownBy(() -> new EpsilonInterval(-1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EpsilonInterval(0, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new EpsilonInterval(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY).lower())
        .isInfinite();
  }

  /** A composition's order changes nothing but the last digits of its sums. */
  @Test
  void whatIsComposedFirst_doesNotMatter() {
    double forth = SAMPLES.compose(RESPONSES).epsilon(DELTA);
    double back = RESPONSES.compose(SAMPLES).epsilon(DELTA);
    assertThat(forth).isCloseTo(back, within(1e-9 * back));
  }

  @Test
  void answers_areTheSameInEveryThreadAndEveryTime() throws Exception {
    PrivacyLossDistribution both = SAMPLES.compose(RESPONSES);
    double epsilon = both.epsilon(DELTA);
    double lower = both.epsilonAtMost(DELTA, epsilon);
    double delta = both.delta(Epsilon.of(1)).value();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Callable<List<Double>>> questions = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        questions.add(
            () ->
                List.of(
                    both.epsilon(DELTA),
                    both.epsilonAtMost(DELTA, epsilon),
                    both.delta(Epsilon.of(1)).value()));
      }
      for (Future<List<Double>> answer : threads.invokeAll(questions)) {
        assertThat(answer.get()).containsExactly(epsilon, lower, delta);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** δ at the ε of a δ is that δ again, from above and hardly so. */
  @ParameterizedTest
  @CsvSource({"1e-3", "1e-6", "1e-12", "1e-30"})
  void deltaAndEpsilon_areEachOthersInverse(double delta) {
    PrivacyLossDistribution sum =
        SAMPLES.compose(PrivacyLossDistribution.of(new LaplaceLoss(0.3), 4));
    double epsilon = sum.epsilon(Delta.of(delta));
    double lower = sum.epsilonAtMost(Delta.of(delta), epsilon);
    // At an ε that is not enough, δ is more than this.
    assertThat(sum.delta(Epsilon.of(lower)).value()).isGreaterThanOrEqualTo(delta);
    // At one that is, no more than what a little less ε would need.
    assertThat(sum.delta(Epsilon.of(epsilon * 1.0001)).value()).isLessThan(delta * (1 + 1e-6));
    assertThat(epsilon - lower).isLessThan(2e-3 * epsilon);
  }

  @Test
  void delta_fallsAsEpsilonRises() {
    PrivacyLossDistribution sum = SAMPLES.compose(RESPONSES);
    double last = 1;
    for (double epsilon = 0; epsilon < 9; epsilon += 0.75) {
      double delta = sum.delta(Epsilon.of(epsilon)).value();
      // As far as the grids of two questions may differ.
      assertThat(delta).isBetween(0.0, last * (1 + 1e-6));
      last = delta;
    }
    double failure = -Math.expm1(5 * Math.log1p(-1e-8));
    assertThat(last).isGreaterThanOrEqualTo(failure);
    assertThat(RESPONSES.delta(Epsilon.of(1.01)).value())
        .isBetween(failure * (1 - 1e-12), failure * (1 + 1e-11));
  }

  @Test
  void epsilon_risesWithRateSensitivityStepsAndLessNoiseOrDelta() {
    double here = epsilon(1.5, 0.05, 1, 40);
    assertThat(epsilon(1.5, 0.06, 1, 40)).isGreaterThan(here);
    assertThat(epsilon(1.5, 0.05, 1.1, 40)).isGreaterThan(here);
    assertThat(epsilon(1.5, 0.05, 1, 44)).isGreaterThan(here);
    assertThat(epsilon(1.4, 0.05, 1, 40)).isGreaterThan(here);
    // Only the ratio of noise and sensitivity matters.
    assertThat(epsilon(3, 0.05, 2, 40)).isCloseTo(here, within(1e-9 * here));
  }

  /** With one more release of anything, ε is no less. */
  @Test
  void oneMoreRelease_neverCostsLess() {
    List<Mechanism> some = new ArrayList<>();
    double last = 0;
    for (Mechanism more :
        List.of(
            new PureDp(Epsilon.of(0.1), 1),
            new SubsampledGaussian(NoiseMultiplier.of(3), 0.2, 1, 5),
            new Laplace(20, 1, 3),
            new SubsampledLaplace(2, 0.01, 1, 10))) {
      some.add(more);
      PldAccountant accountant = PldAccountant.of(some, Adjacency.ADD_REMOVE);
      assertThat(accountant.epsilon(DELTA)).isGreaterThanOrEqualTo(last * (1 - 1e-9));
      last = accountant.interval(DELTA).lower();
    }
    assertThat(last).isPositive();
  }

  /** Removing and adding a row are apart; neither the larger nor the smaller one by law. */
  /** Laplace noise has corners, at places that few grids have. */
  @ParameterizedTest
  @CsvSource({"0.001403, 1, 5", "1.7293, 0.0657, 20"})
  void aTableOfDeltas_hasThatOfEachEpsilonAlone(double loss, double rate, long count) {
    PrivacyLoss laplace = new LaplaceLoss(loss);
    PrivacyLossDistribution sum =
        PrivacyLossDistribution.of(
            rate < 1 ? new PoissonSubsampledLoss(laplace, rate) : laplace, count);
    double[] epsilons = {0, 0.01 * loss, 0.1 * loss, loss, 2.3 * loss};
    double[] deltas = sum.deltas(epsilons, Delta.of(1e-25));
    for (int i = 0; i < epsilons.length; i++) {
      double alone = sum.delta(Epsilon.of(epsilons[i])).value();
      assertThat(deltas[i]).isCloseTo(alone, withinPercentage(0.01));
    }
  }

  @Test
  void theCostlierDirection_isTheAnswer() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(2), 0.05);
    double removed = PrivacyLossDistribution.of(loss, 8).epsilon(DELTA);
    double added = PrivacyLossDistribution.of(loss.reversed(), 8).epsilon(DELTA);
    double both = epsilon(0.5, 0.05, 1, 8);
    assertThat(removed).isGreaterThan(1.5 * added);
    // Directions that are known to cost no more than another are not refined.
    assertThat(both).isCloseTo(Math.max(removed, added), within(1e-7 * both));
  }

  /** No sum of added rows' losses is above −T·ln(1 − q). */
  @Test
  void addingRows_costsAtMostTheEmptySamples() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(5), 0.1).reversed();
    double epsilon = PrivacyLossDistribution.of(loss, 4).epsilon(Delta.of(1e-9));
    double most = -4 * Math.log1p(-0.1);
    // All four samples are empty and the noise says so, but for what δ forgives.
    assertThat(epsilon).isCloseTo(most, within(1e-4 * most));
  }

  @Test
  void oneSample_isKnownToCostMoreWhenARowIsRemoved() {
    PrivacyLoss sampled = new PoissonSubsampledLoss(new GaussianLoss(1.5), 0.2);
    assertThat(PrivacyLossDistribution.of(sampled, 1).isSingleSample()).isTrue();
    assertThat(PrivacyLossDistribution.of(sampled, 2).isSingleSample()).isFalse();
    assertThat(PrivacyLossDistribution.of(new GaussianLoss(1), 1).isSingleSample()).isFalse();
    for (double epsilon : new double[] {0, 0.05, 0.2, 1, 3}) {
      assertThat(SingleLoss.bound(sampled.reversed(), epsilon, -1))
          .isLessThanOrEqualTo(SingleLoss.deltaAbove(sampled, epsilon));
    }
  }
}
