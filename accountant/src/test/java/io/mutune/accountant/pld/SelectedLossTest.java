package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectedLossTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static final TrialCount TEN = new TruncatedNegativeBinomial(1, 0.1);

  private static Gaussian gaussian(double sigma) {
    return new Gaussian(NoiseMultiplier.of(sigma), 1, 1);
  }

  private static PldAccountant of(Mechanism... mechanisms) {
    return PldAccountant.of(List.of(mechanisms), Adjacency.ADD_REMOVE);
  }

  @Test
  void whatIsHardlyEverRepeated_costsARun() {
    TrialCount once = new TruncatedNegativeBinomial(1, 1 - 1e-9);
    double run = gaussian(4).mu().map(mu -> GaussianDp.of(mu).epsilon(DELTA).value()).orElseThrow();
    double selected = of(new RepeatAndSelect(gaussian(4), once)).epsilon(DELTA);
    // The grid's own error.
    assertThat(selected).isGreaterThanOrEqualTo(run).isCloseTo(run, withinPercentage(0.02));
  }

  /** A table knows nothing of so many samples at so small a rate. */
  @Test
  void aRunOfWhichNothingIsKnown_mayBeAllInfinite() {
    Mechanism run = new SubsampledGaussian(NoiseMultiplier.of(1), 1e-12, 1, 1_000_000_000);
    Mechanism selection = new RepeatAndSelect(run, new PoissonTrials(1));
    for (PldAccountant all : List.of(of(selection), of(selection, gaussian(4)))) {
      assertThat(all.delta(Epsilon.of(3.5)).value()).isEqualTo(1);
      assertThat(all.epsilon(Delta.of(0.9))).isInfinite();
    }
  }

  /**
   * So many ε-DP runs that (2 + η)·ε is nearly lost (Papernot and Steinke 2022, Corollary 3), with
   * weights that multiply to more than a double holds.
   */
  @ParameterizedTest
  @CsvSource({"1, 1e-130", "0, 1e-140", "2, 1e-90"})
  void ofSoManyRuns_theBoundIsNotLost(double shape, double gamma) {
    TrialCount law = new TruncatedNegativeBinomial(shape, gamma);
    for (Mechanism run : List.of(new PureDp(Epsilon.of(0.5), 1), new Laplace(2, 1, 1))) {
      assertThat(of(new RepeatAndSelect(run, law)).epsilon(DELTA))
          .isCloseTo((2 + shape) * 0.5, withinPercentage(1));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1e-290", "0, 1e-200", "2, 1e-120"})
  void weightsThatNoDoubleHolds_areRefused(double shape, double gamma) {
    PldAccountant best =
        of(
            new RepeatAndSelect(
                new PureDp(Epsilon.of(0.5), 1), new TruncatedNegativeBinomial(shape, gamma)));
    assertThatThrownBy(() -> best.epsilon(DELTA)).isInstanceOf(ArithmeticException.class);
  }

  /** Randomised response of the same ε is the worst of all. */
  @ParameterizedTest
  @CsvSource({"0.1, 0.3, 5", "0.1, 1, 3", "0.3, 0.995, 3", "0.3, 0.3, 2", "1, 0.3, 5"})
  void aRunOfAFewJaggedReleases_costsNoMoreThanItsEpsilonAllows(
      double epsilon, double rate, long count) {
    Mechanism laplace = new SubsampledLaplace(1 / epsilon, rate, 1, count);
    Mechanism worst =
        new RandomizedResponse(Epsilon.of(Math.log1p(rate * Math.expm1(epsilon))), count);
    for (TrialCount trials : List.of(TEN, new PoissonTrials(5), new BinomialTrials(20, 0.5))) {
      assertThat(of(new RepeatAndSelect(laplace, trials)).epsilon(DELTA))
          .isLessThan(of(new RepeatAndSelect(worst, trials)).epsilon(DELTA));
    }
  }

  /** By grids that fit the corners of one profile better than those of the next, it might. */
  @ParameterizedTest
  @CsvSource({"0.0014, 1, 4", "1.7, 0.07, 19"})
  void oneMoreReleaseOfARun_costsNoLess(double epsilon, double rate, long least) {
    double before = 0;
    for (long count = least; count < least + 4; count++) {
      Mechanism run = new SubsampledLaplace(1 / epsilon, rate, 1, count);
      double cost = of(new RepeatAndSelect(run, new PoissonTrials(400))).epsilon(DELTA);
      assertThat(cost).isGreaterThan(before);
      before = cost;
    }
  }

  /** The weights of Poisson's law differ by no more than e^(m·δ(0)). */
  @ParameterizedTest
  @CsvSource({"4, 3", "10, 10", "30, 100"})
  void theBound_isBelowThatOfOneFactorForAllOutputs(double sigma, double mean) {
    GaussianDp run = GaussianDp.of(Mu.of(1 / sigma));
    PldAccountant selection = of(new RepeatAndSelect(gaussian(sigma), new PoissonTrials(mean)));
    double apart = mean * run.delta(Epsilon.of(0)).value();
    for (double epsilon = apart; epsilon < apart + 6 / sigma; epsilon += 0.5 / sigma) {
      double factor = mean * run.delta(Epsilon.of(epsilon - apart)).value();
      double found = selection.delta(Epsilon.of(epsilon)).value();
      assertThat(found).isPositive().isLessThanOrEqualTo(Math.min(1, factor) * (1 + 1e-3));
    }
  }

  /**
   * By its masses between places, each at one of their ends, and the closed form of a Gaussian. The
   * grid of the composition adds less than a thousandth.
   */
  @ParameterizedTest
  @CsvSource({"0.5", "1", "1.6"})
  void besideAGaussian_itIsComposedByItsMasses(double epsilon) {
    PrivacyLoss loss = new SelectedLoss(new Part(new GaussianLoss(0.15), 1), TEN);
    GaussianDp other = GaussianDp.of(Mu.of(0.2));
    double low = loss.infinite();
    double high = loss.infinite();
    double before = loss.at(-4).pAbove();
    for (double place = -4; place < 4; place += 0.001) {
      double after = loss.at(place + 0.001).pAbove();
      low += (before - after) * delta(other, epsilon - place);
      high += (before - after) * delta(other, epsilon - place - 0.001);
      before = after;
    }
    double found =
        of(new RepeatAndSelect(gaussian(1 / 0.15), TEN), gaussian(5))
            .delta(Epsilon.of(epsilon))
            .value();
    assertThat(found).isBetween(low, high * 1.001);
  }

  private static double delta(GaussianDp gaussian, double epsilon) {
    return epsilon >= 0
        ? gaussian.delta(Epsilon.of(epsilon)).value()
        : 1 - Math.exp(epsilon) * (1 - gaussian.delta(Epsilon.of(-epsilon)).value());
  }

  @Test
  void directions_areTwoWhereThoseOfARunAre() {
    SelectedLoss even = new SelectedLoss(new Part(new GaussianLoss(0.15), 1), TEN);
    assertThat(even.reversed()).isSameAs(even);
    PrivacyLoss sampled = new PoissonSubsampledLoss(new GaussianLoss(0.5), 0.2);
    SelectedLoss uneven = new SelectedLoss(new Part(sampled, 1), TEN);
    assertThat(uneven.reversed()).isNotEqualTo(uneven);
    assertThat(uneven.reversed())
        .isEqualTo(new SelectedLoss(new Part(sampled.reversed(), 1), TEN))
        .hasSameHashCodeAs(new SelectedLoss(new Part(sampled.reversed(), 1), TEN));
    assertThat(uneven.reversed().reversed()).isEqualTo(uneven);
    double there = SingleLoss.deltaAbove(uneven.reversed(), 0.1);
    double alone =
        SingleLoss.deltaAbove(new SelectedLoss(new Part(sampled.reversed(), 1), TEN), 0.1);
    assertThat(there).isCloseTo(alone, withinPercentage(1e-6));
    assertThat(there).isNotCloseTo(SingleLoss.deltaAbove(uneven, 0.1), withinPercentage(0.1));
  }

  @Test
  void runsOfManySteps_areTakenWhole() {
    Mechanism steps = new SubsampledGaussian(NoiseMultiplier.of(8), 0.1, 1, 50);
    double run = of(steps).epsilon(DELTA);
    double selected = of(new RepeatAndSelect(steps, TEN)).epsilon(DELTA);
    assertThat(selected).isBetween(run, 4 * run);
  }

  @Test
  void lossesThatNoTableHolds_areRefused() {
    PldAccountant wide = of(new RepeatAndSelect(gaussian(1e-3), TEN));
    assertThatThrownBy(() -> wide.epsilon(DELTA))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("too large for a table");
  }
}
