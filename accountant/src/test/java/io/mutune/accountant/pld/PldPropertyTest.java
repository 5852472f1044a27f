package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.testing.Effort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holds for all compositions, and what the closed form of Gaussian ones says. */
@AddLifecycleHook(Effort.class)
class PldPropertyTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static SubsampledGaussian steps(double sigma, double q, long count) {
    return new SubsampledGaussian(NoiseMultiplier.of(sigma), q, 1, count);
  }

  private static PldAccountant addRemove(Mechanism... mechanisms) {
    return PldAccountant.of(List.of(mechanisms), Adjacency.ADD_REMOVE);
  }

  /** The grid never knows that these losses are Gaussian; their sum has an exact answer. */
  @ParameterizedTest
  @CsvSource({
    "2, 2, 1e-5, 1e-6",
    "2, 100, 1e-20, 1e-6",
    "2, 10000, 1e-5, 2e-5",
    "2, 100, 1e-100, 1e-5",
    "2, 100, 1e-300, 1e-4",
    "50, 100, 1e-5, 1e-5",
    "1e-6, 10, 1e-20, 1e-4",
    "0.01, 100000, 1e-5, 1e-4",
    "1, 1000000000, 1e-5, 1e-2"
  })
  void gaussianLosses_composeToTheClosedFormFromAbove(
      double mu, long count, double delta, double tolerance) {
    PrivacyLossDistribution sum =
        PrivacyLossDistribution.of(new GaussianLoss(mu / Math.sqrt((double) count)), count);
    double exact = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(delta)).value();
    // μ/√n is rounded.
    assertThat(sum.epsilon(Delta.of(delta)))
        .isBetween(exact * (1 - 1e-13), exact * (1 + tolerance));
    assertThat(sum.epsilonAtMost(Delta.of(delta), exact * 2)).isLessThanOrEqualTo(exact);
    double back = sum.delta(Epsilon.of(exact)).value();
    assertThat(back).isGreaterThanOrEqualTo(delta * (1 - 1e-9));
  }

  @Property(tries = 8)
  void anInterval_isInOrderAndCostsRiseWithStepsAndRateAndFallWithNoise(
      @ForAll @DoubleRange(min = 0.6, max = 20) double sigma,
      @ForAll @DoubleRange(min = 0.01, max = 0.9) double q,
      @ForAll @IntRange(min = 2, max = 2000) int count) {
    EpsilonInterval interval = addRemove(steps(sigma, q, count)).interval(DELTA);
    assertThat(interval.lower()).isLessThanOrEqualTo(interval.upper());
    assertThat(interval.upper()).isFinite();
    // As far as the grids of two questions may differ.
    double most = interval.upper() * (1 + 1e-4) + 1e-9;
    assertThat(addRemove(steps(sigma * 1.01, q, count)).epsilon(DELTA)).isLessThanOrEqualTo(most);
    assertThat(addRemove(steps(sigma, q * 0.99, count)).epsilon(DELTA)).isLessThanOrEqualTo(most);
    assertThat(addRemove(steps(sigma, q, count - 1)).epsilon(DELTA)).isLessThanOrEqualTo(most);
    double whole = addRemove(new Gaussian(NoiseMultiplier.of(sigma), 1, count)).epsilon(DELTA);
    assertThat(interval.lower()).isLessThanOrEqualTo(whole);
  }

  @Property(tries = 5)
  void replacingARow_costsNoLessThanRemovingOne(
      @ForAll @DoubleRange(min = 0.8, max = 10) double sigma,
      @ForAll @DoubleRange(min = 0.01, max = 0.9) double q,
      @ForAll @IntRange(min = 1, max = 500) int count) {
    SubsampledGaussian replaced = new SubsampledGaussian(NoiseMultiplier.of(sigma), q, 2, count);
    EpsilonInterval more =
        PldAccountant.of(List.of(replaced), Adjacency.REPLACE_ONE).interval(DELTA);
    assertThat(more.upper())
        .isGreaterThanOrEqualTo(addRemove(steps(sigma, q, count)).interval(DELTA).lower());
  }

  @Property(tries = 5)
  void composing_doesNotDependOnOrderOrGrouping(@ForAll @IntRange(min = 1, max = 40) int count) {
    List<Mechanism> together =
        List.of(
            steps(2, 0.1, 3L * count),
            new Laplace(10, 1, 2L * count),
            new PureDp(Epsilon.of(0.03), 2L * count),
            new Gaussian(NoiseMultiplier.of(5), 1, 4));
    List<Mechanism> apart = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apart.add(new PureDp(Epsilon.of(0.03), 2));
      apart.add(steps(2, 0.1, 3));
      apart.add(new Laplace(10, 1, 2));
    }
    for (int i = 0; i < 4; i++) {
      apart.add(new Gaussian(NoiseMultiplier.of(5), 1, 1));
    }
    double expected = PldAccountant.of(together, Adjacency.ADD_REMOVE).epsilon(DELTA);
    for (int i = 0; i < 2; i++) {
      Collections.reverse(apart);
      assertThat(PldAccountant.of(apart, Adjacency.ADD_REMOVE).epsilon(DELTA))
          .isCloseTo(expected, within(1e-5 * expected));
    }
  }

  @Test
  void aRateOfOne_isTheGaussianMechanismExactly() {
    assertThat(addRemove(steps(20, 1, 28)).epsilon(DELTA))
        .isEqualTo(GaussianDp.ofGaussian(NoiseMultiplier.of(20), 1, 28).epsilon(DELTA).value());
  }

  @Test
  void noMechanismAtAll_costsNothing() {
    assertThat(addRemove().interval(DELTA)).isEqualTo(new EpsilonInterval(0, 0));
  }
}
