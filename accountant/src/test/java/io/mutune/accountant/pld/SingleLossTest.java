package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One loss without any grid, against closed forms in 60 digits. */
class SingleLossTest {
  /** 1 − e^((ε − ε₀)/2): what a Laplace release has left, by its three pieces (Balle et al.). */
  private static BigDecimal laplace(double epsilon0, double epsilon) {
    BigDecimal gap = new BigDecimal(epsilon).subtract(new BigDecimal(epsilon0));
    return gap.signum() >= 0
        ? BigDecimal.ZERO
        : BigDecimal.ONE.subtract(Digits.exp(gap.divide(BigDecimal.valueOf(2))));
  }

  private static BigDecimal response(double epsilon0, double epsilon) {
    return ExactLosses.response(epsilon0, 0).delta(epsilon);
  }

  @Property(tries = 60)
  void laplace_deltaIsBetweenBothBounds(
      @ForAll @DoubleRange(min = -6, max = 1.8) double size,
      @ForAll @DoubleRange(min = 0, max = 1.1) double part) {
    double epsilon0 = Math.pow(10, size);
    double epsilon = part * epsilon0;
    LaplaceLoss loss = new LaplaceLoss(epsilon0);
    BigDecimal exact = laplace(epsilon0, epsilon);
    assertThat(new BigDecimal(SingleLoss.deltaAbove(loss, epsilon))).isGreaterThanOrEqualTo(exact);
    assertThat(new BigDecimal(SingleLoss.bound(loss, epsilon, -1))).isLessThanOrEqualTo(exact);
    // Masses of at most 1 whose errors are a few ulps times ε₀.
    assertThat(SingleLoss.deltaAbove(loss, epsilon) - SingleLoss.bound(loss, epsilon, -1))
        .isLessThan(1e-14 * (10 + epsilon0));
  }

  @Property(tries = 60)
  void response_deltaIsBetweenBothBounds(
      @ForAll @DoubleRange(min = -6, max = 2.8) double size,
      @ForAll @DoubleRange(min = 0, max = 1.1) double part) {
    double epsilon0 = Math.pow(10, size);
    double epsilon = part * epsilon0;
    PrivacyLoss loss = new RandomisedResponseLoss(epsilon0, 0);
    BigDecimal exact = response(epsilon0, epsilon);
    assertThat(new BigDecimal(SingleLoss.deltaAbove(loss, epsilon))).isGreaterThanOrEqualTo(exact);
    assertThat(new BigDecimal(SingleLoss.bound(loss, epsilon, -1))).isLessThanOrEqualTo(exact);
  }

  @Property(tries = 60)
  void gaussian_deltaIsBetweenBothBounds(
      @ForAll @DoubleRange(min = 0.01, max = 12) double mu,
      @ForAll @DoubleRange(min = -6, max = 8) double place) {
    double epsilon = Math.max(0, mu * place + mu * mu / 2);
    PrivacyLoss loss = new GaussianLoss(mu);
    BigDecimal exact = ExactLosses.NONE.deltaBesides(mu, epsilon);
    assertThat(new BigDecimal(SingleLoss.deltaAbove(loss, epsilon))).isGreaterThanOrEqualTo(exact);
    // The reference takes an event that misses the best one by a rounding of its place.
    assertThat(new BigDecimal(SingleLoss.bound(loss, epsilon, -1)))
        .isLessThanOrEqualTo(
            exact.multiply(new BigDecimal("1.000000000000001")).add(new BigDecimal("1e-300")));
  }

  /** Where (1 − q)/q is no double. */
  @Test
  void replacedAtASubnormalRate_hasADelta() {
    assertThat(SingleLoss.deltaAbove(new ReplaceOneLoss(1, 1e-310), 0)).isBetween(0.0, 1e-12);
  }

  /** ln(1 − q + q·e^ε′) with the ε′ of δ/q, both ways and to the last digits. */
  @Property(tries = 60)
  void sampledLaplace_epsilonIsThatOfTheWholeAmplified(
      @ForAll @DoubleRange(min = 0.01, max = 8) double epsilon0,
      @ForAll @DoubleRange(min = -6, max = -0.01) double rate,
      @ForAll @DoubleRange(min = -9, max = -0.05) double part) {
    double q = Math.pow(10, rate);
    double share = Math.pow(10, part);
    PoissonSubsampledLoss loss = new PoissonSubsampledLoss(new LaplaceLoss(epsilon0), q);
    double delta = share * q * laplace(epsilon0, 0).doubleValue();
    double above = SingleLoss.epsilonAbove(loss, delta);
    double below = SingleLoss.epsilonBelow(loss, delta);
    // 1 − e^((ε′ − ε₀)/2) = δ/q
    BigDecimal left =
        BigDecimal.ONE.subtract(new BigDecimal(delta).divide(new BigDecimal(q), Digits.FIFTY));
    BigDecimal power = Digits.exp(epsilon0).multiply(left).multiply(left).subtract(BigDecimal.ONE);
    BigDecimal exact =
        Digits.log(BigDecimal.ONE.add(power.multiply(new BigDecimal(q)), Digits.FIFTY));
    assertThat(new BigDecimal(above)).isGreaterThanOrEqualTo(exact);
    assertThat(new BigDecimal(below)).isLessThanOrEqualTo(exact);
    assertThat(above).isCloseTo(below, within(1e-11 * above + 1e-13));
  }

  @ParameterizedTest
  @CsvSource({"1e-9, 0.4", "0.2, 1e-3", "3, 0.999", "40, 1e-8"})
  void sampledAboveAndBelow_encloseTheSampledLoss(double inner, double q) {
    PoissonSubsampledLoss loss = new PoissonSubsampledLoss(new GaussianLoss(1), q);
    BigDecimal exact =
        Digits.log(
            Digits.exp(inner)
                .subtract(BigDecimal.ONE)
                .multiply(new BigDecimal(q))
                .add(BigDecimal.ONE));
    assertThat(new BigDecimal(loss.sampledAbove(inner))).isGreaterThan(exact);
    assertThat(new BigDecimal(loss.sampledBelow(inner))).isLessThan(exact);
    assertThat(loss.sampledAbove(inner)).isCloseTo(loss.sampledBelow(inner), within(1e-14 * inner));
  }

  @ParameterizedTest
  @CsvSource({"710, 0.5, 709.3068528194400546905827678785", "2000, 1e-300, 1309.2244721017863"})
  void beyondAllExponentials_sampledLossesAreTheLogarithmsSum(
      double inner, double q, double exact) {
    PoissonSubsampledLoss loss = new PoissonSubsampledLoss(new GaussianLoss(1), q);
    assertThat(loss.sampledAbove(inner)).isBetween(exact, exact * (1 + 1e-14));
    assertThat(loss.sampledBelow(inner)).isBetween(exact * (1 - 1e-14), exact);
  }

  @Test
  void aDeltaThatEvenNoNoiseKeeps_costsNothing() {
    PrivacyLoss sampled = new PoissonSubsampledLoss(new GaussianLoss(5), 1e-3);
    assertThat(SingleLoss.epsilonAbove(sampled, 1e-3)).isZero();
    assertThat(SingleLoss.epsilonAbove(sampled, 0.98e-3)).isPositive();
    assertThat(SingleLoss.epsilonBelow(sampled, 1.01e-3)).isZero();
  }

  /** A normal tail that underflows is not one of 0: then no ε at all keeps a δ of 0. */
  @Test
  void gaussianNoise_hasNoEpsilonAtADeltaOfZeroAndNoDeltaOfZero() {
    PldAccountant one =
        PldAccountant.of(
            List.of(new SubsampledGaussian(NoiseMultiplier.of(1), 0.5, 1, 1)),
            Adjacency.ADD_REMOVE);
    assertThat(one.epsilon(Delta.of(0))).isInfinite();
    assertThat(one.delta(Epsilon.of(1e6)).value()).isPositive().isLessThan(1e-300);
    assertThat(one.delta(Epsilon.of(1e308)).value()).isPositive().isLessThan(1e-300);
    PldAccountant replaced =
        PldAccountant.of(
            List.of(new SubsampledGaussian(NoiseMultiplier.of(1), 0.5, 2, 1)),
            Adjacency.REPLACE_ONE);
    assertThat(replaced.epsilon(Delta.of(0))).isInfinite();
    assertThat(replaced.delta(Epsilon.of(1e6)).value()).isPositive();
  }

  @Test
  void boundedLosses_haveAnEpsilonAtADeltaOfZero() {
    double largest = Math.log1p(0.25 * Math.expm1(2));
    PldAccountant sampled =
        PldAccountant.of(List.of(new SubsampledLaplace(1, 0.25, 2, 1)), Adjacency.ADD_REMOVE);
    assertThat(sampled.epsilon(Delta.of(0))).isBetween(largest, largest * (1 + 1e-14));
    assertThat(SingleLoss.epsilonAbove(new LaplaceLoss(2), 0)).isBetween(2.0, Math.nextUp(2.0));
    assertThat(SingleLoss.deltaAbove(new LaplaceLoss(2), 2)).isZero();
    assertThat(SingleLoss.deltaAbove(new RandomisedResponseLoss(2, 1e-3), 2)).isEqualTo(1e-3);
  }

  /** By mpmath: (1 − q)·Q + q·P of N(1, 1) and N(0, 1), at the least δ that a double has. */
  @Test
  void atASubnormalDelta_anEpsilonOfASampleIsAboveTheTruth() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(1), 0.6);
    assertThat(SingleLoss.epsilonAbove(loss, Double.MIN_VALUE)).isGreaterThan(38.3477);
    assertThat(SingleLoss.epsilonBelow(loss, Double.MIN_VALUE)).isLessThan(38.3478);
  }

  /** 1 − e^((ε − ε₀)/2) and (e^ε₀ − e^ε)/(1 + e^ε₀), where e^−ε₀ has become 0. */
  @ParameterizedTest
  @CsvSource({"745, 0.5, 744.3068528194401", "750, 1e-5, 749.99999", "2000, 0.25, 1999.71231793"})
  void ofALossBeyondAllExponentials_bothBoundsHold(double largest, double delta, double epsilon) {
    PrivacyLoss loss = new RandomisedResponseLoss(largest, 0);
    assertThat(SingleLoss.epsilonBelow(loss, delta)).isLessThanOrEqualTo(epsilon + 1e-7);
    assertThat(SingleLoss.epsilonAbove(loss, delta)).isGreaterThanOrEqualTo(epsilon - 1e-7);
  }

  /** Where a lot is infinite, no ε is enough below that, and a finite one is above. */
  @Test
  void failures_areCountedWhole() {
    PrivacyLoss loss = new RandomisedResponseLoss(1, 0.01);
    assertThat(SingleLoss.epsilonAbove(loss, 0.0099)).isInfinite();
    assertThat(SingleLoss.epsilonBelow(loss, 0.0099)).isInfinite();
    assertThat(SingleLoss.epsilonAbove(loss, 0.0101)).isLessThan(1);
    assertThat(SingleLoss.deltaAbove(loss, 50)).isEqualTo(0.01);
  }

  /** A shifted split: the place is moved down by what it may be off, and no further. */
  @Test
  void aSplitThatIsOff_staysOnTheRightSide() {
    PrivacyLoss exact = new GaussianLoss(1);
    double off = 1e-3;
    for (double error : new double[] {-off, 0, off}) {
      PrivacyLoss loss = new Moved(exact, error, off);
      for (double epsilon : new double[] {0, 0.5, 2, 5}) {
        double delta = ExactLosses.NONE.deltaBesides(1, epsilon).doubleValue();
        assertThat(SingleLoss.deltaAbove(loss, epsilon)).isGreaterThanOrEqualTo(delta);
        assertThat(SingleLoss.bound(loss, epsilon, -1)).isLessThanOrEqualTo(delta);
        // Four shifts, by each of which δ may change by at most itself.
        assertThat(SingleLoss.deltaAbove(loss, epsilon)).isLessThan(delta + 4.1 * off);
      }
    }
  }

  /** A pair that answers for a loss a little off, and says so. */
  private record Moved(PrivacyLoss loss, double error, double bound) implements PrivacyLoss {
    @Override
    public Split at(double place) {
      Split s = loss.at(place + error);
      return new Split(s.pBelow(), s.pAbove(), s.qBelow(), s.qAbove(), s.relative(), bound);
    }

    @Override
    public double[] landmarks() {
      return loss.landmarks();
    }

    @Override
    public PrivacyLoss reversed() {
      return new Reversed(this);
    }
  }
}
