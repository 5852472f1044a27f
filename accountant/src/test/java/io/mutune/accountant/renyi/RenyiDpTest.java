package io.mutune.accountant.renyi;

import static io.mutune.accountant.renyi.Oracle.cost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RenyiDpTest {
  private static final Delta DELTA = Delta.of(1e-5);
  private static final NoiseMultiplier SIGMA = NoiseMultiplier.of(4);

  /** Every mechanism that has a count, by its count. */
  static Stream<LongFunction<Mechanism>> counted() {
    Epsilon epsilon = Epsilon.of(0.1);
    return Stream.of(
        n -> new Gaussian(SIGMA, 1.0, n),
        n -> new SubsampledGaussian(SIGMA, 0.1, 1.0, n),
        n -> new SubsampledGaussian(SIGMA, 1.0, 1.0, n),
        n -> new Laplace(10.0, 1.0, n),
        n -> new SubsampledLaplace(2.0, 0.1, 1.0, n),
        n -> new ExponentialMechanism(epsilon, n),
        n -> new RandomizedResponse(epsilon, n),
        n -> new PureDp(epsilon, n),
        n -> new ApproximateDp(epsilon, Delta.of(1e-8), n),
        n -> new ApproximateDp(Epsilon.of(0), Delta.of(1e-8), n));
  }

  @ParameterizedTest
  @MethodSource("counted")
  void aCount_costsWhatAsManyChargesDo(LongFunction<Mechanism> mechanism) {
    for (int n : new int[] {2, 7, 50}) {
      for (Adjacency adjacency : Adjacency.values()) {
        RenyiDp counted = RenyiDp.of(mechanism.apply(n), adjacency);
        RenyiDp one = RenyiDp.of(mechanism.apply(1), adjacency);
        RenyiDp byHand = RenyiDp.compose(Collections.nCopies(n, one));
        assertThat(counted.failure()).isCloseTo(byHand.failure(), withinPercentage(1e-10));
        assertThat(counted.epsilon(DELTA).value())
            .isCloseTo(byHand.epsilon(DELTA).value(), withinPercentage(1e-8));
      }
    }
  }

  @Test
  void aSelectionTwice_costsTheSumOfItsCurves() {
    RenyiDp one = cost(new RepeatAndSelect(new Gaussian(SIGMA, 1.0, 1), new PoissonTrials(5)));
    assertThat(RenyiDp.compose(List.of(one, one)).curve().at(8))
        .isCloseTo(2 * one.curve().at(8), withinPercentage(1e-12));
  }

  @ParameterizedTest
  @MethodSource("counted")
  void more_costsMore(LongFunction<Mechanism> mechanism) {
    RenyiDp few = cost(mechanism.apply(10));
    RenyiDp many = cost(mechanism.apply(11));
    assertThat(few.epsilon(DELTA).value()).isLessThanOrEqualTo(many.epsilon(DELTA).value());
    assertThat(few.epsilon(DELTA).value()).isLessThanOrEqualTo(few.epsilon(Delta.of(1e-6)).value());
    Epsilon epsilon = Epsilon.of(0.3);
    assertThat(few.delta(epsilon).value()).isLessThanOrEqualTo(many.delta(epsilon).value());
  }

  @ParameterizedTest
  @MethodSource("counted")
  void epsilonAndDelta_undoEachOther(LongFunction<Mechanism> mechanism) {
    RenyiDp dp = cost(mechanism.apply(40));
    Epsilon epsilon = dp.epsilon(DELTA);
    assertThat(dp.delta(epsilon).value()).isLessThanOrEqualTo(DELTA.value() * (1 + 1e-9));
    if (epsilon.value() > 0) {
      assertThat(dp.delta(epsilon).value()).isGreaterThan(DELTA.value() * (1 - 1e-4));
    }
  }

  @ParameterizedTest
  @MethodSource("counted")
  void theOrderOfCharges_doesNotMatter(LongFunction<Mechanism> mechanism) {
    List<RenyiDp> charges = new ArrayList<>();
    counted().forEach(other -> charges.add(cost(other.apply(3))));
    charges.add(cost(mechanism.apply(20)));
    double forth = RenyiDp.compose(charges).epsilon(DELTA).value();
    Collections.reverse(charges);
    assertThat(RenyiDp.compose(charges).epsilon(DELTA).value())
        .isCloseTo(forth, withinPercentage(1e-9));
  }

  @Test
  void aSampleOfEveryRow_costsWhatTheGaussianDoes() {
    assertThat(cost(new SubsampledGaussian(SIGMA, 1.0, 1.0, 30)).epsilon(DELTA))
        .isEqualTo(cost(new Gaussian(SIGMA, 1.0, 30)).epsilon(DELTA));
  }

  @Property(tries = 100)
  void aGaussian_costsAtLeastItsExactEpsilonAndAtMostZcdps(
      @ForAll @DoubleRange(min = -6, max = 2) double logMu,
      @ForAll @DoubleRange(min = -300, max = -0.5) double logDelta) {
    Gaussian gaussian = new Gaussian(NoiseMultiplier.of(Math.pow(10, -logMu)), 1.0, 1);
    Delta delta = Delta.of(Math.pow(10, logDelta));
    double epsilon = cost(gaussian).epsilon(delta).value();
    GaussianDp exact = GaussianDp.of(gaussian.mu().orElseThrow());
    double mu = exact.mu().value();
    double standard = mu * (mu / 2 + Math.sqrt(-2 * Math.log(delta.value())));
    assertThat(epsilon)
        .isGreaterThanOrEqualTo(exact.epsilon(delta).value())
        .isLessThanOrEqualTo(standard * (1 + 1e-13));
    Epsilon at = Epsilon.of(epsilon);
    assertThat(cost(gaussian).delta(at).value()).isGreaterThanOrEqualTo(exact.delta(at).value());
  }

  /** Rows are at least as dear to replace as to add or remove, if their sizes are the same. */
  @Property(tries = 100)
  void replacing_costsAtLeastAddingOrRemoving(
      @ForAll @DoubleRange(min = -0.5, max = 2) double logSigma,
      @ForAll @DoubleRange(min = -3, max = 0) double logRate,
      @ForAll @LongRange(min = 1, max = 10_000) long steps) {
    NoiseMultiplier sigma = NoiseMultiplier.of(Math.pow(10, logSigma));
    double rate = Math.pow(10, logRate);
    RenyiDp removed =
        RenyiDp.of(new SubsampledGaussian(sigma, rate, 1.0, steps), Adjacency.ADD_REMOVE);
    RenyiDp replaced =
        RenyiDp.of(new SubsampledGaussian(sigma, rate, 2.0, steps), Adjacency.REPLACE_ONE);
    RenyiDp whole = cost(new Gaussian(sigma, 2.0, steps));
    assertThat(replaced.epsilon(DELTA).value())
        .isGreaterThanOrEqualTo(removed.epsilon(DELTA).value() * (1 - 1e-9))
        .isLessThanOrEqualTo(whole.epsilon(DELTA).value() * (1 + 1e-9));
  }

  @Property(tries = 300)
  void extremes_giveFiguresThatAreNeitherNegativeNorMissing(
      @ForAll @DoubleRange(min = -3, max = 8) double logSigma,
      @ForAll @DoubleRange(min = -9, max = 0) double logRate,
      @ForAll @DoubleRange(min = 0, max = 9) double logSteps,
      @ForAll @DoubleRange(min = -300, max = -0.01) double logDelta) {
    NoiseMultiplier sigma = NoiseMultiplier.of(Math.pow(10, logSigma));
    double rate = Math.min(1, Math.pow(10, logRate));
    long steps = (long) Math.pow(10, logSteps);
    RenyiDp dp = cost(new SubsampledGaussian(sigma, rate, 1.0, steps));
    Delta delta = Delta.of(Math.pow(10, logDelta));
    assertThat(dp.epsilon(delta).value()).isNotNegative().isFinite();
    assertThat(dp.delta(Epsilon.of(1e6)).value()).isBetween(0.0, 1.0);
    assertThat(dp.delta(Epsilon.of(0)).value()).isBetween(0.0, 1.0);
  }

  @Property(tries = 200)
  void extremesOfPureMechanisms_staySensible(
      @ForAll @DoubleRange(min = -12, max = 6) double logEpsilon,
      @ForAll @DoubleRange(min = 0, max = 9) double logCount,
      @ForAll @DoubleRange(min = -300, max = -0.01) double logDelta) {
    double epsilon = Math.pow(10, logEpsilon);
    long count = (long) Math.pow(10, logCount);
    Delta delta = Delta.of(Math.pow(10, logDelta));
    for (Mechanism mechanism :
        List.of(
            new PureDp(Epsilon.of(epsilon), count),
            new Laplace(1 / epsilon, 1.0, count),
            new ExponentialMechanism(Epsilon.of(epsilon), count))) {
      assertThat(cost(mechanism).epsilon(delta).value())
          .isNotNegative()
          .isLessThanOrEqualTo(epsilon * count * (1 + 1e-9));
    }
  }

  @Test
  void aFailure_isTakenFromDelta() {
    RenyiDp safe = cost(new PureDp(Epsilon.of(0.1), 9));
    RenyiDp failing = cost(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-6), 9));
    assertThat(failing.failure()).isCloseTo(9e-6, withinPercentage(1e-3));
    double left = (1e-5 - failing.failure()) / (1 - failing.failure());
    assertThat(failing.epsilon(DELTA).value())
        .isCloseTo(safe.epsilon(Delta.of(left)).value(), withinPercentage(1e-9));
    assertThat(failing.delta(Epsilon.of(100)).value()).isCloseTo(9e-6, withinPercentage(1e-3));
  }

  @Test
  void aDeltaThatFailuresUse_hasNoEpsilon() {
    RenyiDp dp = cost(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-6), 20));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dp.epsilon(DELTA))
        .withMessageContaining("delta must be above 1.99")
        .withMessageContaining("was 1.0E-5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cost(new PureDp(Epsilon.of(1), 1)).epsilon(Delta.of(0)))
        .withMessageContaining("was 0.0");
  }

  @Test
  void failuresThatAddUpToCertainty_leaveNothing() {
    RenyiDp dp = cost(new ApproximateDp(Epsilon.of(0.1), Delta.of(0.5), 1_000_000_000));
    assertThat(dp.delta(Epsilon.of(1)).value()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new RenyiDp(RenyiCurve.NONE, 1));
  }

  @Test
  void nothingCharged_costsNothing() {
    assertThat(RenyiDp.compose(List.of()).epsilon(Delta.of(1e-300))).isEqualTo(Epsilon.of(0));
    assertThat(RenyiDp.NONE.delta(Epsilon.of(0))).isEqualTo(Delta.of(0));
  }

  @Test
  void aLossThatDeltaCovers_isNone() {
    assertThat(cost(new Gaussian(NoiseMultiplier.of(1e6), 1.0, 1)).epsilon(DELTA))
        .isEqualTo(Epsilon.of(0));
  }

  @Test
  void aSelectionAmongRunsThatMayFail_isNotSupported() {
    Mechanism run = new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-9), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cost(new RepeatAndSelect(run, new PoissonTrials(3))))
        .withMessageContaining("does not support repeat-and-select:poisson:approximate-dp")
        .withMessageContaining("may fail");
  }

  /** Section 4 of notes on private selection: 10 runs, each of ε = 1 at δ = 1e-5. */
  @Test
  void randomStopping_beatsPlainCompositionForDearRuns() {
    double sigma = 1 / GaussianDp.ofBudget(Epsilon.of(1), DELTA).mu().value();
    Gaussian run = new Gaussian(NoiseMultiplier.of(sigma), 1.0, 1);
    RepeatAndSelect selection = new RepeatAndSelect(run, TruncatedNegativeBinomial.ofMean(0, 10));
    double plain =
        GaussianDp.of(new Gaussian(run.sigma(), 1.0, 10).mu().orElseThrow()).epsilon(DELTA).value();
    assertThat(cost(selection).epsilon(DELTA).value()).isLessThan(plain);
  }

  @Test
  void aCurveTimesNothing_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiCurve.NONE.times(0))
        .withMessage("count must be at least 1; was 0");
  }
}
