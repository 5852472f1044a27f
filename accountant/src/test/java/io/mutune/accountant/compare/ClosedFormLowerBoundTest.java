package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The closed forms that no bound may be below: true lower ends, and all accountants above them. */
class ClosedFormLowerBoundTest {
  private static Releases bits(double epsilon, int count) {
    return Releases.of(Adjacency.ADD_REMOVE, new RandomizedResponse(Epsilon.of(epsilon), count));
  }

  private static double exactDelta(double one, int count, double epsilon) {
    double sum = 0;
    for (int lies = 0; lies <= count; lies++) {
      double loss = (count - 2 * lies) * one;
      if (loss > epsilon) {
        sum +=
            CombinatoricsUtils.binomialCoefficientDouble(count, lies)
                * Math.exp((count - lies) * one - count * Math.log1p(Math.exp(one)))
                * -Math.expm1(epsilon - loss);
      }
    }
    return sum;
  }

  /** All true is one outcome of many: never more than the whole sum, and all of it for one bit. */
  @Property(tries = 300)
  void theDeltaOfBits_isAFloorAndExactForOne(
      @ForAll @DoubleRange(min = 0.01, max = 3) double one,
      @ForAll @IntRange(min = 1, max = 30) int count,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
    double epsilon = share * one * count;
    double floor = ClosedFormLowerBound.delta(bits(one, count), Epsilon.of(epsilon));
    double exact = exactDelta(one, count, epsilon);
    assertThat(floor).isBetween(0.0, exact + 1e-15);
    if (count == 1) {
      assertThat(floor).isCloseTo(exact, within(1e-8 * exact + 1e-15));
    }
  }

  @Property(tries = 300)
  void theEpsilonOfBits_isAFloorAndExactForOne(
      @ForAll @DoubleRange(min = 0.01, max = 3) double one,
      @ForAll @IntRange(min = 1, max = 30) int count,
      @ForAll @DoubleRange(min = -10, max = -0.5) double logDelta) {
    double delta = Math.pow(10, logDelta);
    double floor = ClosedFormLowerBound.epsilon(bits(one, count), Delta.of(delta));
    assertThat(floor).isBetween(0.0, one * count);
    if (floor > 0) {
      // At the floor more is lost than δ, by the definition of the smallest ε.
      assertThat(exactDelta(one, count, floor * (1 - 1e-6))).isGreaterThan(delta * (1 - 1e-9));
    }
    if (count == 1 && delta < exactDelta(one, 1, 0)) {
      assertThat(exactDelta(one, 1, floor))
          .isBetween(delta * (1 - 1e-9), delta * (1 + 1e-6) + 1e-8);
    }
  }

  @Test
  void gaussians_haveTheirClosedFormAsAFloor() {
    Releases mixed =
        Releases.of(
            Adjacency.ADD_REMOVE,
            new Gaussian(NoiseMultiplier.of(4), 1, 4),
            new SubsampledGaussian(NoiseMultiplier.of(2), 1, 1, 1),
            new SubsampledGaussian(NoiseMultiplier.of(2), 0.1, 1, 100),
            new Laplace(3, 1, 2),
            new ApproximateDp(Epsilon.of(1), Delta.of(0.01), 1));
    // √(4/16 + 1/4): the others add nothing to the floor.
    GaussianDp alone = GaussianDp.of(Mu.of(Math.sqrt(0.5)));
    assertThat(ClosedFormLowerBound.epsilon(mixed, Delta.of(1e-5)))
        .isCloseTo(alone.epsilonAtMost(Delta.of(1e-5)).value(), within(1e-7))
        .isLessThan(alone.epsilonAtMost(Delta.of(1e-5)).value());
    assertThat(ClosedFormLowerBound.delta(mixed, Epsilon.of(1)))
        .isCloseTo(alone.deltaAtMost(Epsilon.of(1)), within(1e-9));
  }

  @Test
  void whatHasNoClosedForm_hasAFloorOfNothing() {
    Releases sampled =
        Releases.of(
            Adjacency.REPLACE_ONE, new SubsampledGaussian(NoiseMultiplier.of(1), 0.1, 2, 100));
    assertThat(ClosedFormLowerBound.epsilon(sampled, Delta.of(1e-5))).isZero();
    assertThat(ClosedFormLowerBound.delta(sampled, Epsilon.of(0.1))).isZero();
    Releases none = Releases.of(Adjacency.ADD_REMOVE);
    assertThat(ClosedFormLowerBound.epsilon(none, Delta.of(1e-5))).isZero();
    assertThat(ClosedFormLowerBound.delta(none, Epsilon.of(0))).isZero();
  }

  /** More bits than any sum of doubles can be wrong by: no figure is lost to overflow. */
  @Test
  void manyBits_haveAFloorThatStaysANumber() {
    assertThat(ClosedFormLowerBound.epsilon(bits(1, 1_000_000), Delta.of(1e-5))).isZero();
    assertThat(ClosedFormLowerBound.delta(bits(1, 1_000_000), Epsilon.of(5))).isBetween(0.0, 1.0);
    assertThat(ClosedFormLowerBound.epsilon(bits(700, 1), Delta.of(1e-5))).isBetween(699.0, 700.0);
    assertThat(ClosedFormLowerBound.delta(bits(700, 1), Epsilon.of(1))).isBetween(1 - 1e-8, 1.0);
  }

  @ParameterizedTest
  @EnumSource(Accountant.class)
  void noAccountant_isBelowTheFloor(Accountant accountant) {
    for (Releases releases :
        new Releases[] {
          bits(0.5, 4),
          Releases.of(Adjacency.REPLACE_ONE, new PureDp(Epsilon.of(1), 1)),
          Releases.of(
              Adjacency.ADD_REMOVE,
              new Gaussian(NoiseMultiplier.of(3), 1, 2),
              new PureDp(Epsilon.of(0.2), 3))
        }) {
      for (double delta : new double[] {1e-3, 1e-6}) {
        if (accountant.answer(releases, new EpsilonAt(Delta.of(delta))) instanceof Bound bound) {
          assertThat(bound.upper())
              .isGreaterThanOrEqualTo(ClosedFormLowerBound.epsilon(releases, Delta.of(delta)));
        }
      }
      for (double epsilon : new double[] {0, 0.4}) {
        if (accountant.answer(releases, new DeltaAt(Epsilon.of(epsilon))) instanceof Bound bound) {
          assertThat(bound.upper())
              .isGreaterThanOrEqualTo(ClosedFormLowerBound.delta(releases, Epsilon.of(epsilon)));
        }
      }
    }
  }

  /** The floors move with every parameter as the truth does. */
  @Property(tries = 200)
  void theFloor_growsWithTheLossAndFallsWithDelta(
      @ForAll @DoubleRange(min = 0.05, max = 2) @Scale(3) double epsilon,
      @ForAll @IntRange(min = 1, max = 5) int count,
      @ForAll @DoubleRange(min = -9, max = -1) double logDelta) {
    Delta delta = Delta.of(Math.pow(10, logDelta));
    double floor = ClosedFormLowerBound.epsilon(bits(epsilon, count), delta);
    assertThat(ClosedFormLowerBound.epsilon(bits(epsilon * 1.1, count), delta))
        .isGreaterThanOrEqualTo(floor);
    assertThat(ClosedFormLowerBound.epsilon(bits(epsilon, count), Delta.of(delta.value() / 2)))
        .isGreaterThanOrEqualTo(floor);
    Epsilon at = Epsilon.of(epsilon / 2);
    assertThat(ClosedFormLowerBound.delta(bits(epsilon * 1.1, 1), at))
        .isGreaterThan(ClosedFormLowerBound.delta(bits(epsilon, 1), at));
  }
}
