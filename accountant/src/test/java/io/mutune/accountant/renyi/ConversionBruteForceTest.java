package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
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
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * From Rényi curves to (ε, δ): against the formulas of the papers at every order of a fine grid.
 */
class ConversionBruteForceTest {
  /**
   * Orders a fiftieth of their logarithm apart: a bound's valley is a parabola over the logarithm
   * of α − 1, so that the grid's least is within 1e-4 of it, where the bound is not below a
   * millionth of its terms.
   */
  private static final double GRID = 0.02;

  private static final double ABOVE = 3e-4;
  private static final double ROUNDING = 1e-9;

  /** In ln δ, which at the last order of a truncated curve is as steep as that order. */
  private static final double LOG_ABOVE = 8e-3;

  static Stream<Arguments> costs() {
    Epsilon small = Epsilon.of(0.2);
    List<Mechanism> mechanisms =
        List.of(
            new Gaussian(NoiseMultiplier.of(4), 1, 3),
            new SubsampledGaussian(NoiseMultiplier.of(1), 0.01, 1, 500),
            new SubsampledGaussian(NoiseMultiplier.of(3), 0.2, 2, 20),
            new Laplace(5, 1, 20),
            new SubsampledLaplace(2, 0.1, 1, 50),
            new ExponentialMechanism(small, 30),
            new RandomizedResponse(small, 30),
            new PureDp(Epsilon.of(2), 1),
            new ApproximateDp(small, Delta.of(1e-9), 10),
            new TruncatedConcentrated(0.01, 20, 5),
            TruncatedConcentrated.ofZeroConcentrated(0.01, 5),
            new RepeatAndSelect(
                new Gaussian(NoiseMultiplier.of(6), 1, 1), new TruncatedNegativeBinomial(1, 0.1)),
            new RepeatAndSelect(new PureDp(small, 1), new PoissonTrials(5)));
    return mechanisms.stream()
        .flatMap(
            m ->
                Stream.of(Adjacency.values())
                    .filter(a -> a == Adjacency.ADD_REMOVE || !isSlow(m))
                    .map(a -> Arguments.of(m, a)));
  }

  /** Small σ take many points of a grid, and a row that is replaced many orders. */
  private static boolean isSlow(Mechanism mechanism) {
    return mechanism instanceof SubsampledGaussian sampled && sampled.sigma().value() < 2;
  }

  /** Canonne, Kamath and Steinke 2020, Proposition 12. */
  private static double epsilonAt(double divergence, double order, double delta) {
    return divergence + Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1);
  }

  private static double bruteEpsilon(RenyiCurve curve, double delta) {
    double least = Double.POSITIVE_INFINITY;
    for (double log = -4; log < 40; log += GRID) {
      double order = 1 + Math.exp(log);
      least = Math.min(least, epsilonAt(curve.at(order), order, delta));
    }
    return Math.max(0, least);
  }

  private static double bruteDelta(RenyiCurve curve, double epsilon) {
    double least = 1;
    for (double log = -4; log < 40; log += GRID) {
      double order = 1 + Math.exp(log);
      double at =
          Math.exp((order - 1) * (curve.at(order) - epsilon + Math.log1p(-1 / order))) / order;
      least = Math.min(least, at);
    }
    return least;
  }

  @ParameterizedTest
  @MethodSource("costs")
  void epsilon_isTheLeastOfAllOrders(Mechanism mechanism, Adjacency adjacency) {
    RenyiDp dp = RenyiDp.of(mechanism, adjacency);
    for (double delta : new double[] {1e-3, 1e-5, 1e-7}) {
      double left = (delta - dp.failure()) / (1 - dp.failure());
      double brute = bruteEpsilon(dp.curve().remembered(), left);
      double epsilon = dp.epsilon(Delta.of(delta)).value();
      assertThat(epsilon)
          .as("delta %s", delta)
          .isLessThanOrEqualTo(brute * (1 + ROUNDING) + ROUNDING)
          .isGreaterThanOrEqualTo(brute * (1 - ABOVE) - ROUNDING);
    }
  }

  @ParameterizedTest
  @MethodSource("costs")
  void delta_isTheLeastOfAllOrdersBesideTheFailure(Mechanism mechanism, Adjacency adjacency) {
    RenyiDp dp = RenyiDp.of(mechanism, adjacency);
    for (double epsilon : new double[] {0.3, 1, 3}) {
      double brute = bruteDelta(dp.curve().remembered(), epsilon);
      double delta = dp.delta(Epsilon.of(epsilon)).value();
      double ofCurve = (delta - dp.failure()) / (1 - dp.failure());
      // At a small ε the distance in total variation is a bound of its own, and a smaller one.
      assertThat(ofCurve).as("epsilon %s", epsilon).isLessThanOrEqualTo(brute * (1 + 1e-6) + 1e-15);
      double distance = Math.sqrt(-Math.expm1(-dp.curve().at(1 + 1e-9)));
      assertThat(delta)
          .isGreaterThanOrEqualTo(
              Math.min(Math.exp(Math.log(brute) * (1 + LOG_ABOVE)), distance) * (1 - 1e-6));
      assertThat(delta).isGreaterThanOrEqualTo(dp.failure());
    }
  }

  /** The definition that both conversions rest on: α-moments bound the tail of the loss. */
  @Property(tries = 200)
  void everyOrder_isABoundOfItsOwn(
      @ForAll @DoubleRange(min = -2, max = 1) double logMu,
      @ForAll @DoubleRange(min = -12, max = -1) double logDelta,
      @ForAll @DoubleRange(min = 1.01, max = 500) double order) {
    double mu = Math.pow(10, logMu);
    double delta = Math.pow(10, logDelta);
    RenyiDp gaussian = RenyiDp.of(new Gaussian(NoiseMultiplier.of(1), mu, 1), Adjacency.ADD_REMOVE);
    double least = gaussian.epsilon(Delta.of(delta)).value();
    assertThat(least)
        .isLessThanOrEqualTo(
            Math.max(0, epsilonAt(order * mu * mu / 2, order, delta)) * (1 + ROUNDING) + ROUNDING);
  }

  /** A curve that nobody can differentiate: known below 10 and between 20 and 30 only. */
  @Test
  void aCurveWithGaps_isUsedWhereItIsKnown() {
    RenyiCurve gaps =
        order -> order < 10 || (order > 20 && order < 30) ? 0.01 * order : Double.POSITIVE_INFINITY;
    double brute = bruteEpsilon(gaps, 1e-6);
    double epsilon = RenyiDp.of(gaps).epsilon(Delta.of(1e-6)).value();
    // The search may settle in either part: what it gives is valid, and no better than the best.
    assertThat(epsilon).isGreaterThanOrEqualTo(brute * (1 - ABOVE)).isLessThan(2.2);
  }

  @Test
  void aCurveThatIsNeverKnown_hasNoEpsilonAndTheDeltaOfAnything() {
    RenyiDp unknown = RenyiDp.of(order -> Double.POSITIVE_INFINITY);
    assertThat(unknown.epsilonOrInfinity(Delta.of(1e-6))).isInfinite();
    assertThatIllegalArgumentException().isThrownBy(() -> unknown.epsilon(Delta.of(1e-6)));
    assertThat(unknown.delta(Epsilon.of(3)).value()).isEqualTo(1);
  }

  /** n releases as one of n, as n of one, and added up in any grouping. */
  @ParameterizedTest
  @MethodSource("costs")
  void composition_addsCurvesAndFailuresInAnyGrouping(Mechanism mechanism, Adjacency adjacency) {
    RenyiDp one = RenyiDp.of(mechanism, adjacency);
    RenyiDp other = RenyiDp.of(new PureDp(Epsilon.of(0.3), 2), adjacency);
    RenyiDp leak = RenyiDp.of(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-6), 3), adjacency);
    RenyiDp left = RenyiDp.compose(List.of(RenyiDp.compose(List.of(one, other)), leak, one));
    RenyiDp right = RenyiDp.compose(List.of(leak, RenyiDp.compose(List.of(other, one.times(2)))));
    for (double order : new double[] {1.2, 2, 9, 19}) {
      double sum = 2 * one.curve().at(order) + other.curve().at(order) + leak.curve().at(order);
      assertThat(left.curve().at(order))
          .isGreaterThanOrEqualTo(sum)
          .isLessThanOrEqualTo(sum * (1 + 1e-12));
      assertThat(right.curve().at(order)).isBetween(sum, sum * (1 + 1e-12));
    }
    double kept = Math.pow(1 - one.failure(), 2) * (1 - leak.failure());
    // Failures are of the order of 1e-6; their complement has 16 digits.
    assertThat(left.failure()).isBetween(1 - kept - 1e-15, 1 - kept + 1e-15);
    assertThat(right.failure()).isBetween(1 - kept - 1e-15, 1 - kept + 1e-15);
  }

  @Property(tries = 100)
  void times_isRepeatedComposition(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @DoubleRange(min = 0, max = 0.5) double failure,
      @ForAll @DoubleRange(min = 0.001, max = 2) @Scale(4) double slope) {
    RenyiDp one = new RenyiDp(order -> slope * order, failure);
    RenyiDp byHand = RenyiDp.NONE;
    for (int i = 0; i < count; i++) {
      byHand = RenyiDp.compose(List.of(byHand, one));
    }
    RenyiDp times = one.times(count);
    assertThat(Math.abs(times.failure() - byHand.failure())).isLessThan(1e-13);
    assertThat(times.failure()).isGreaterThanOrEqualTo(-Math.expm1(count * Math.log1p(-failure)));
    assertThat(times.curve().at(3) / (3 * slope * count)).isBetween(1.0, 1 + 1e-12);
  }
}
